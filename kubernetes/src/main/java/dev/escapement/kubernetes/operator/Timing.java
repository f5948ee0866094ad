package dev.escapement.kubernetes.operator;

import io.javaoperatorsdk.operator.api.monitoring.Metrics;
import java.time.Duration;
import java.util.function.Consumer;

/** How long the looks at executions and targets take. */
public final class Timing implements Metrics {

    private final Consumer<Duration> took;

    /** @param took must not block or throw */
    public Timing(Consumer<Duration> took) {
        this.took = took;
    }

    @Override
    public <T> T timeControllerExecution(ControllerExecution<T> execution) throws Exception {
        long start = System.nanoTime();
        try {
            return execution.execute();
        } finally {
            took.accept(Duration.ofNanos(System.nanoTime() - start));
        }
    }
}
