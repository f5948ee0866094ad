package dev.escapement.server;

import dev.escapement.endpoints.store.Run;
import dev.escapement.endpoints.worker.WorkerListener;
import dev.escapement.server.metrics.EndpointMetrics;
import dev.escapement.server.metrics.RunLog;

/**
 * Everybody who wants to know what the worker of the endpoints does.
 *
 * @param remedy asks for the remediations that are due; must not block or throw
 */
record RunNews(EndpointMetrics metrics, RunLog log, Runnable remedy) implements WorkerListener {

    @Override
    public void claimed(int count) {
        metrics.claimed(count);
    }

    @Override
    public void ran(Run run) {
        metrics.ran(run);
        log.say(run);
    }

    @Override
    public void leaseLost(int count) {
        metrics.leaseLost(count);
    }

    @Override
    public void throttled(String host) {
        metrics.throttled();
    }

    @Override
    public void remedyDue() {
        remedy.run();
    }
}
