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

/** What the wait after one failure costs. {@link BackoffContender} says which method is whose, and what it includes. */
@State(Scope.Thread)
public class BackoffBenchmark {

    /** The number of failures so far. JMH sets it: from 1. */
    @Param("1")
    public int attempt;

    private final Backoff backoff = Backoff.standard();
    private final IntervalFunction resilience4j = PeerBackoffs.resilience4j();
    private final BackoffStrategy awsSdk = PeerBackoffs.awsSdk();

    /** Ours as a number. */
    @Benchmark
    public long delayNanos() {
        return backoff.delayNanos(attempt);
    }

    /** Ours as a Duration. */
    @Benchmark
    public Duration delay() {
        return backoff.delay(attempt);
    }

    /** In milliseconds, boxed by its interface. */
    @Benchmark
    public Long resilience4j() {
        return resilience4j.apply(attempt);
    }

    /** AWS counts tries and waits nothing before the first: what follows failure n comes before try n + 1. */
    @Benchmark
    public Duration awsSdk() {
        return awsSdk.computeDelay(attempt + 1);
    }

    /** One step. It moves the state on, but from attempt 2 every step does the same work. */
    @Benchmark
    public long failsafe(FailsafeState state) {
        return state.executor
                .onFailure(state.context, FailsafeExecutionContext.FAILURE)
                .getDelay();
    }

    /** One step, always from the same state: it is immutable. */
    @Benchmark
    public Duration gax(GaxState state) {
        return state.algorithm.createNextAttempt(state.previous).getRandomizedRetryDelayDuration();
    }

    /** Failsafe just before the failure that is measured. */
    @State(Scope.Thread)
    public static class FailsafeState {

        private FailsafeExecutionContext context = new FailsafeExecutionContext(1);
        private RetryPolicyExecutor<Object> executor = PeerBackoffs.failsafe(0);

        /** Takes it there step by step: there is no other way. */
        @Setup
        public void advanceToAttempt(BackoffBenchmark benchmark) {
            context = new FailsafeExecutionContext(benchmark.attempt);
            executor = PeerBackoffs.failsafe(benchmark.attempt - 1);
        }
    }

    /** Gax just before the failure that is measured. */
    @State(Scope.Thread)
    public static class GaxState {

        private final ExponentialRetryAlgorithm algorithm = PeerBackoffs.gax();
        private TimedAttemptSettings previous = algorithm.createFirstAttempt();

        /** Takes it there step by step: there is no other way. */
        @Setup
        public void advanceToAttempt(BackoffBenchmark benchmark) {
            previous = PeerBackoffs.gaxStateAfter(benchmark.attempt - 1, algorithm);
        }
    }
}
