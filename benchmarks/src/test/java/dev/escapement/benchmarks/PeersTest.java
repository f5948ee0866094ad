package dev.escapement.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.api.gax.retrying.ExponentialRetryAlgorithm;
import com.google.api.gax.retrying.TimedAttemptSettings;
import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** They are asked for the waits that we give, and have the peculiarities that the notes of the report tell of. */
class PeersTest {

    private static final int DRAWS = 1_000;

    @Test
    void resilience4jHasItsJitterBelowTheCapAndNoneAtIt() {
        assertThat(draws(() -> Peers.resilience4j().apply(1))).allMatch(millis -> millis >= 27_000 && millis <= 33_001);
        assertThat(draws(() -> Peers.resilience4j().apply(1)).distinct().count())
                .isGreaterThan(1);
        assertThat(draws(() -> Peers.resilience4j().apply(5))).containsOnly(300_000L);
        assertThat(Peers.resilience4j().apply(1_000_000)).isEqualTo(300_000);
    }

    @Test
    void failsafeGoesBeyondTheCapByItsJitter() {
        assertThat(draws(() -> failsafe(1))).allMatch(nanos -> nanos >= 27e9 && nanos <= 33e9);
        assertThat(draws(() -> failsafe(4))).allMatch(nanos -> nanos >= 216e9 && nanos <= 264e9);
        assertThat(draws(() -> failsafe(5))).allMatch(nanos -> nanos >= 270e9 && nanos <= 330e9);
        assertThat(draws(() -> failsafe(5))).anyMatch(nanos -> nanos > 300e9);
    }

    @Test
    void awsWaitsBeforeTryTwoWhatWeWaitAfterFailureOne() {
        assertThat(draws(() -> Peers.awsSdk().computeDelay(1).toMillis())).containsOnly(0L);
        assertThat(draws(() -> Peers.awsSdk().computeDelay(2).toMillis()))
                .allMatch(millis -> millis < 30_000)
                .anyMatch(millis -> millis > 15_000);
        assertThat(draws(() -> Peers.awsSdk().computeDelay(6).toMillis()))
                .allMatch(millis -> millis < 300_000)
                .anyMatch(millis -> millis > 240_000);
    }

    @Test
    void gaxDoublesToTheCap() {
        ExponentialRetryAlgorithm gax = Peers.gax();
        assertThat(Peers.gaxAfter(1, gax).getRetryDelayDuration()).isEqualTo(Duration.ofSeconds(30));
        TimedAttemptSettings fifth = Peers.gaxAfter(5, gax);
        assertThat(fifth.getRetryDelayDuration()).isEqualTo(Duration.ofMinutes(5));
        assertThat(fifth.getRandomizedRetryDelayDuration()).isLessThan(Duration.ofMinutes(5));
    }

    private static long failsafe(int attempt) {
        return Peers.failsafe(attempt - 1)
                .onFailure(new FailsafeAttempt(attempt), FailsafeAttempt.FAILURE)
                .getDelay();
    }

    private static LongStream draws(LongSupplier draw) {
        return LongStream.generate(draw).limit(DRAWS);
    }
}
