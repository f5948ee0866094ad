package dev.escapement.server.endpoint;

import dev.escapement.common.SafeText;
import dev.escapement.endpoints.model.FinishedRun;
import dev.escapement.endpoints.worker.EndpointWorker.EndpointWorkerListener;
import dev.escapement.server.metrics.EndpointMetrics;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Passes events of the endpoint worker to metrics, log and remediation. Of runs, the first failure and the recovery are
 * logged at level info, all others at debug; of the response only the error is logged, which contains no secrets.
 *
 * @param remediationTrigger requests the remediations that are due; must not block or throw
 */
record EndpointRunListener(EndpointMetrics metrics, Runnable remediationTrigger) implements EndpointWorkerListener {

    private static final Logger LOG = LoggerFactory.getLogger("escapement.runs");
    private static final int MAX_VALUE_LENGTH = 500;

    @Override
    public void onClaimed(int count) {
        metrics.recordClaims(count);
    }

    @Override
    public void onRunRecorded(FinishedRun run) {
        metrics.recordRun(run);
        log(run);
    }

    private static void log(FinishedRun run) {
        boolean failed = !run.callResult().isSuccess();
        boolean changed = failed ? run.failuresBefore() == 0 : run.failuresBefore() > 0;
        if (!changed && !LOG.isDebugEnabled()) {
            // There may be thousands of runs a second, on the worker's thread.
            return;
        }
        LoggingEventBuilder line = (changed ? LOG.atInfo() : LOG.atDebug())
                .addKeyValue("endpoint", SafeText.sanitize(run.endpointName(), MAX_VALUE_LENGTH))
                .addKeyValue("run", run.id());
        if (failed) {
            line.addKeyValue(
                            "failure",
                            run.callResult().failure().map(Enum::name).orElse("-"))
                    .addKeyValue("failures", run.failuresAfter())
                    .log(
                            "Endpoint run failed: {}",
                            SafeText.sanitize(run.callResult().error(), MAX_VALUE_LENGTH));
        } else {
            line.log(
                    changed ? "Endpoint recovered after {} failures" : "Endpoint run succeeded after {} failures",
                    run.failuresBefore());
        }
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
