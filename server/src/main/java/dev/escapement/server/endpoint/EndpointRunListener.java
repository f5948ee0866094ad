package dev.escapement.server.endpoint;

import dev.escapement.endpoints.model.FinishedRun;
import dev.escapement.endpoints.worker.EndpointWorkerListener;
import dev.escapement.server.metrics.EndpointMetrics;

/**
 * Passes events of the endpoint worker to metrics, log and remediation.
 *
 * @param remediationTrigger requests the remediations that are due; must not block or throw
 */
record EndpointRunListener(EndpointMetrics metrics, EndpointRunLogger log, Runnable remediationTrigger)
        implements EndpointWorkerListener {

    @Override
    public void onClaimed(int count) {
        metrics.recordClaims(count);
    }

    @Override
    public void onRunRecorded(FinishedRun run) {
        metrics.recordRun(run);
        log.log(run);
    }

    @Override
    public void onLeaseLost(int count) {
        metrics.recordLostLeases(count);
    }

    @Override
    public void onHostThrottled(String host) {
        metrics.recordThrottled();
    }

    @Override
    public void onRemediationDue() {
        remediationTrigger.run();
    }
}
