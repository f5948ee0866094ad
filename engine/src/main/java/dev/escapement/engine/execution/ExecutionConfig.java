package dev.escapement.engine.execution;

import dev.escapement.backoff.DurationText;
import java.time.Duration;
import java.util.Optional;

/**
 * How to run a workflow.
 *
 * @param timeout longer than zero; empty for the executor's default
 * @param serviceAccountName empty for the executor's default
 * @param engine the executor; empty for the default
 */
public record ExecutionConfig(Optional<Duration> timeout, String serviceAccountName, String engine) {

    public static final ExecutionConfig DEFAULT = new ExecutionConfig(Optional.empty(), "", "");

    public ExecutionConfig {
        timeout.ifPresent(given -> {
            if (given.isZero() || given.isNegative()) {
                throw new IllegalArgumentException("spec.executionConfig.timeout is " + DurationText.format(given)
                        + ": it must be longer than zero");
            }
        });
    }
}
