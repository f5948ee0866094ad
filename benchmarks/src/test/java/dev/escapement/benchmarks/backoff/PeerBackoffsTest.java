package dev.escapement.benchmarks.backoff;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.api.gax.retrying.ExponentialRetryAlgorithm;
import com.google.api.gax.retrying.TimedAttemptSettings;
import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Checks that the compared libraries have the settings of Escapement, and behave as the notes of the report say. */
class PeerBackoffsTest {

    private static final int DRAWS = 1_000;

    @Test
    void resilience4jJittersOnlyBelowCap() {
        assertThat(sample(() -> PeerBackoffs.resilience4j().apply(1)))
                .allMatch(millis -> millis >= 27_000 && millis <= 33_001);
        assertThat(sample(() -> PeerBackoffs.resilience4j().apply(1)).distinct().count())
                .isGreaterThan(1);
        assertThat(sample(() -> PeerBackoffs.resilience4j().apply(5))).containsOnly(300_000L);
        assertThat(PeerBackoffs.resilience4j().apply(1_000_000)).isEqualTo(300_000);
    }

    @Test
    void failsafeJitterExceedsCap() {
        assertThat(sample(() -> failsafeDelayNanos(1))).allMatch(nanos -> nanos >= 27e9 && nanos <= 33e9);
        assertThat(sample(() -> failsafeDelayNanos(4))).allMatch(nanos -> nanos >= 216e9 && nanos <= 264e9);
        assertThat(sample(() -> failsafeDelayNanos(5))).allMatch(nanos -> nanos >= 270e9 && nanos <= 330e9);
        assertThat(sample(() -> failsafeDelayNanos(5))).anyMatch(nanos -> nanos > 300e9);
    }

    @Test
    void awsCountsAttemptsInsteadOfFailures() {
        assertThat(sample(() -> PeerBackoffs.awsSdk().computeDelay(1).toMillis()))
                .containsOnly(0L);
        assertThat(sample(() -> PeerBackoffs.awsSdk().computeDelay(2).toMillis()))
                .allMatch(millis -> millis < 30_000)
                .anyMatch(millis -> millis > 15_000);
        assertThat(sample(() -> PeerBackoffs.awsSdk().computeDelay(6).toMillis()))
                .allMatch(millis -> millis < 300_000)
                .anyMatch(millis -> millis > 240_000);
    }

    @Test
    void gaxDoublesUpToCap() {
        ExponentialRetryAlgorithm gax = PeerBackoffs.gax();
        assertThat(PeerBackoffs.gaxStateAfter(1, gax).getRetryDelayDuration()).isEqualTo(Duration.ofSeconds(30));
        TimedAttemptSettings fifth = PeerBackoffs.gaxStateAfter(5, gax);
        assertThat(fifth.getRetryDelayDuration()).isEqualTo(Duration.ofMinutes(5));
        assertThat(fifth.getRandomizedRetryDelayDuration()).isLessThan(Duration.ofMinutes(5));
    }

    private static long failsafeDelayNanos(int attempt) {
        return PeerBackoffs.failsafe(attempt - 1)
                .onFailure(new FailsafeExecutionContext(attempt), FailsafeExecutionContext.FAILURE)
                .getDelay();
    }

    private static LongStream sample(LongSupplier draw) {
        return LongStream.generate(draw).limit(DRAWS);
    }
}
