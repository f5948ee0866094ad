package dev.escapement.kubernetes.controller;

import io.javaoperatorsdk.operator.api.monitoring.Metrics;
import java.time.Duration;
import java.util.function.Consumer;

/** How long the looks at executions and targets take. */
public final class ReconcileTimer implements Metrics {

    private final Consumer<Duration> listener;

    /** @param took must not block or throw */
    public ReconcileTimer(Consumer<Duration> took) {
        this.listener = took;
    }

    @Override
    public <T> T timeControllerExecution(ControllerExecution<T> execution) throws Exception {
        long start = System.nanoTime();
        try {
            return execution.execute();
        } finally {
            listener.accept(Duration.ofNanos(System.nanoTime() - start));
        }
    }
}
