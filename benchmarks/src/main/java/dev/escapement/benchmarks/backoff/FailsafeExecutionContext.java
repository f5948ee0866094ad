package dev.escapement.benchmarks.backoff;

import dev.failsafe.ExecutionContext;
import dev.failsafe.function.CheckedRunnable;
import dev.failsafe.spi.ExecutionResult;
import java.time.Duration;
import java.time.Instant;

/**
 * A context of a failed attempt for Failsafe. Failsafe's own context reads the clock and takes locks, which is not part
 * of computing the delay; this one excludes that time from the measurement, in Failsafe's favour.
 */
record FailsafeExecutionContext(int attempt) implements ExecutionContext<Object> {

    static final ExecutionResult<Object> FAILURE = ExecutionResult.exception(new IllegalStateException("failed"));

    @Override
    public int getAttemptCount() {
        return attempt;
    }

    @Override
    public int getExecutionCount() {
        return attempt;
    }

    @Override
    public boolean isFirstAttempt() {
        return attempt == 1;
    }

    @Override
    public boolean isRetry() {
        return attempt > 1;
    }

    @Override
    public boolean isCancelled() {
        return false;
    }

    @Override
    public Duration getElapsedTime() {
        return Duration.ZERO;
    }

    @Override
    public Duration getElapsedAttemptTime() {
        return Duration.ZERO;
    }

    @Override
    public Instant getStartTime() {
        return Instant.EPOCH;
    }

    @Override
    public void onCancel(CheckedRunnable cancelCallback) {
        throw unsupported();
    }

    @Override
    @SuppressWarnings("TypeParameterUnusedInFormals") // Signature of the library.
    public <T extends Throwable> T getLastException() {
        throw unsupported();
    }

    @Override
    public Object getLastResult() {
        throw unsupported();
    }

    @Override
    public Object getLastResult(Object defaultValue) {
        throw unsupported();
    }

    private static UnsupportedOperationException unsupported() {
        return new UnsupportedOperationException("not needed for a delay");
    }
}
