package dev.escapement.server;

import dev.escapement.endpoints.model.FinishedRun;
import dev.escapement.endpoints.worker.EndpointWorkerListener;
import dev.escapement.server.metrics.EndpointMetrics;
import dev.escapement.server.metrics.RunLog;

/**
 * Everybody who wants to know what the worker of the endpoints does.
 *
 * @param remedy asks for the remediations that are due; must not block or throw
 */
record RunNews(EndpointMetrics metrics, RunLog log, Runnable remedy) implements EndpointWorkerListener {

    @Override
    public void onClaimed(int count) {
        metrics.claimed(count);
    }

    @Override
    public void onRunRecorded(FinishedRun run) {
        metrics.ran(run);
        log.say(run);
    }

    @Override
    public void onLeaseLost(int count) {
        metrics.leaseLost(count);
    }

    @Override
    public void onHostThrottled(String host) {
        metrics.throttled();
    }

    @Override
    public void onRemediationDue() {
        remedy.run();
    }
}
