package dev.escapement.benchmarks.backoff;

import com.google.api.core.NanoClock;
import com.google.api.gax.retrying.ExponentialRetryAlgorithm;
import com.google.api.gax.retrying.RetrySettings;
import com.google.api.gax.retrying.TimedAttemptSettings;
import dev.failsafe.RetryPolicy;
import dev.failsafe.internal.RetryPolicyExecutor;
import io.github.resilience4j.core.IntervalFunction;
import java.time.Duration;
import software.amazon.awssdk.retries.api.BackoffStrategy;

/**
 * The compared libraries with the settings of {@code Backoff.standard()}: doubling from 30 s to 5 min, ±10 % where this
 * can be set. Of several ways to compute a delay the cheapest one is used.
 */
final class PeerBackoffs {

    private static final Duration BASE = Duration.ofSeconds(30);
    private static final Duration MAX = Duration.ofMinutes(5);
    private static final double MULTIPLIER = 2;
    private static final double JITTER = 0.1;

    private PeerBackoffs() {}

    static IntervalFunction resilience4j() {
        return IntervalFunction.ofExponentialRandomBackoff(BASE, MULTIPLIER, JITTER, MAX);
    }

    static BackoffStrategy awsSdk() {
        return BackoffStrategy.exponentialDelay(BASE, MAX);
    }

    /** Returns the state after so many failures, without a limit of retries. */
    static RetryPolicyExecutor<Object> failsafe(int failures) {
        RetryPolicy<Object> policy = RetryPolicy.builder()
                .withBackoff(BASE, MAX, MULTIPLIER)
                .withJitter(JITTER)
                .withMaxRetries(-1)
                .build();
        // No public class computes only the delay; this one does the least other work.
        RetryPolicyExecutor<Object> executor = (RetryPolicyExecutor<Object>) policy.toExecutor(0);
        for (int failure = 1; failure <= failures; failure++) {
            executor.onFailure(new FailsafeExecutionContext(failure), FailsafeExecutionContext.FAILURE);
        }
        return executor;
    }

    /** Without a total timeout, so that it does not read the clock at every step. */
    static ExponentialRetryAlgorithm gax() {
        RetrySettings settings = RetrySettings.newBuilder()
                .setInitialRetryDelayDuration(BASE)
                .setMaxRetryDelayDuration(MAX)
                .setRetryDelayMultiplier(MULTIPLIER)
                .build();
        return new ExponentialRetryAlgorithm(settings, NanoClock.getDefaultClock());
    }

    /** Returns the state of gax after so many failures. */
    static TimedAttemptSettings gaxStateAfter(int failures, ExponentialRetryAlgorithm gax) {
        TimedAttemptSettings state = gax.createFirstAttempt();
        for (int failure = 1; failure <= failures; failure++) {
            state = gax.createNextAttempt(state);
        }
        return state;
    }
}
