package dev.escapement.common;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class RetryDelaysTest {

    private final RetryDelays retryDelays = new RetryDelays(Duration.ofSeconds(10));

    @Test
    void retriesFirstConflictAtOnce() {
        assertThat(retryDelays.afterConflict(1)).isZero();
    }

    @Test
    void conflictDelayGrowsToOneSecond() {
        assertThat(retryDelays.afterConflict(2)).isBetween(Duration.ofMillis(5), Duration.ofMillis(6));
        assertThat(retryDelays.afterConflict(3)).isBetween(Duration.ofMillis(9), Duration.ofMillis(11));
        for (int conflicts = 4; conflicts < 40; conflicts++) {
            assertThat(retryDelays.afterConflict(conflicts)).isLessThanOrEqualTo(Duration.ofSeconds(1));
        }
        assertThat(retryDelays.afterConflict(40)).isGreaterThanOrEqualTo(Duration.ofMillis(900));
    }

    @Test
    void failureDelayGrowsToMaximum() {
        assertThat(retryDelays.afterFailure(1)).isBetween(Duration.ofMillis(100), Duration.ofMillis(110));
        assertThat(retryDelays.afterFailure(2)).isBetween(Duration.ofMillis(180), Duration.ofMillis(220));
        for (int failures = 3; failures < 40; failures++) {
            assertThat(retryDelays.afterFailure(failures)).isLessThanOrEqualTo(Duration.ofSeconds(10));
        }
        assertThat(retryDelays.afterFailure(40)).isGreaterThanOrEqualTo(Duration.ofSeconds(9));
    }
}
