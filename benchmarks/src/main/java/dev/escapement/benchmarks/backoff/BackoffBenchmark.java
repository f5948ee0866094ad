package dev.escapement.benchmarks.backoff;

import com.google.api.gax.retrying.ExponentialRetryAlgorithm;
import com.google.api.gax.retrying.TimedAttemptSettings;
import dev.escapement.backoff.Backoff;
import dev.failsafe.internal.RetryPolicyExecutor;
import io.github.resilience4j.core.IntervalFunction;
import java.time.Duration;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import software.amazon.awssdk.retries.api.BackoffStrategy;

/** Measures the cost of one wait. {@link BackoffContender} describes the library and the call of each method. */
@State(Scope.Thread)
public class BackoffBenchmark {

    /** The number of failures so far, from 1. JMH sets it. */
    @Param("1")
    public int attempt;

    private final Backoff backoff = Backoff.standard();
    private final IntervalFunction resilience4j = PeerBackoffs.resilience4j();
    private final BackoffStrategy awsSdk = PeerBackoffs.awsSdk();

    /** Escapement, in nanoseconds. */
    @Benchmark
    public long delayNanos() {
        return backoff.delayNanos(attempt);
    }

    /** Escapement, as a Duration. */
    @Benchmark
    public Duration delay() {
        return backoff.delay(attempt);
    }

    /** In milliseconds, boxed by the interface. */
    @Benchmark
    public Long resilience4j() {
        return resilience4j.apply(attempt);
    }

    /**
     * The AWS SDK counts attempts, and the first has no wait: the wait after failure n is the one before attempt n + 1.
     */
    @Benchmark
    public Duration awsSdk() {
        return awsSdk.computeDelay(attempt + 1);
    }

    /** One step. It changes the state, but from attempt 2 on every step does the same work. */
    @Benchmark
    public long failsafe(FailsafeState state) {
        return state.executor
                .onFailure(state.context, FailsafeExecutionContext.FAILURE)
                .getDelay();
    }

    /** One step, always from the same immutable state. */
    @Benchmark
    public Duration gax(GaxState state) {
        return state.algorithm.createNextAttempt(state.previous).getRandomizedRetryDelayDuration();
    }

    /** The state of Failsafe before the measured failure. */
    @State(Scope.Thread)
    public static class FailsafeState {

        private FailsafeExecutionContext context = new FailsafeExecutionContext(1);
        private RetryPolicyExecutor<Object> executor = PeerBackoffs.failsafe(0);

        /** Advances step by step, because the library has no other way. */
        @Setup
        public void advanceToAttempt(BackoffBenchmark benchmark) {
            context = new FailsafeExecutionContext(benchmark.attempt);
            executor = PeerBackoffs.failsafe(benchmark.attempt - 1);
        }
    }

    /** The state of gax before the measured failure. */
    @State(Scope.Thread)
    public static class GaxState {

        private final ExponentialRetryAlgorithm algorithm = PeerBackoffs.gax();
        private TimedAttemptSettings previous = algorithm.createFirstAttempt();

        /** Advances step by step, because the library has no other way. */
        @Setup
        public void advanceToAttempt(BackoffBenchmark benchmark) {
            previous = PeerBackoffs.gaxStateAfter(benchmark.attempt - 1, algorithm);
        }
    }
}
