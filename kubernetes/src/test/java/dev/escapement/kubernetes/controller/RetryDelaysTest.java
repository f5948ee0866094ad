package dev.escapement.kubernetes.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.common.FailureLog;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RetryDelaysTest {

    private final RetryDelays retryDelays = new RetryDelays();

    @Test
    void conflictDelayGrowsToOneSecond() {
        assertThat(retryDelays.nextConflictDelay("a")).isBetween(Duration.ofMillis(5), Duration.ofMillis(6));
        assertThat(retryDelays.nextConflictDelay("a")).isBetween(Duration.ofMillis(9), Duration.ofMillis(11));
        for (int i = 0; i < 40; i++) {
            assertThat(retryDelays.nextConflictDelay("a")).isLessThanOrEqualTo(Duration.ofSeconds(1));
        }
        assertThat(retryDelays.nextConflictDelay("a")).isGreaterThanOrEqualTo(Duration.ofMillis(900));
    }

    @Test
    void failureDelayGrowsToTenSeconds() {
        assertThat(retryDelays.nextFailureDelay("a")).isBetween(Duration.ofMillis(100), Duration.ofMillis(110));
        assertThat(retryDelays.nextFailureDelay("a")).isBetween(Duration.ofMillis(180), Duration.ofMillis(220));
        for (int i = 0; i < 40; i++) {
            assertThat(retryDelays.nextFailureDelay("a")).isLessThanOrEqualTo(Duration.ofSeconds(10));
        }
        assertThat(retryDelays.nextFailureDelay("a")).isGreaterThanOrEqualTo(Duration.ofSeconds(9));
    }

    /** Otherwise a recovery would be logged between two failures. */
    @Test
    void failureDelayIsShorterThanRecoveryPeriod() {
        for (int i = 0; i < 40; i++) {
            assertThat(retryDelays.nextFailureDelay("a")).isLessThan(FailureLog.RECOVERY_PERIOD);
        }
    }

    @Test
    void restartsDelayAfterReset() {
        retryDelays.nextFailureDelay("a");
        retryDelays.nextFailureDelay("a");

        retryDelays.reset("a");

        assertThat(retryDelays.nextFailureDelay("a")).isLessThanOrEqualTo(Duration.ofMillis(110));
    }

    @Test
    void countsKeysSeparately() {
        retryDelays.nextFailureDelay("a");
        retryDelays.nextFailureDelay("a");

        assertThat(retryDelays.nextFailureDelay("b")).isLessThanOrEqualTo(Duration.ofMillis(110));
    }
}
