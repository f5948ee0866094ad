package dev.escapement.common;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WorkQueueDelayTest {

    private record NoItem(Object key) implements WorkQueue.Item<NoItem> {
        @Override
        public NoItem mergedWith(NoItem earlier) {
            return this;
        }
    }

    private final WorkQueue<NoItem> queue =
            new WorkQueue<>(1, Duration.ofSeconds(10), (item, attempt, failure) -> {}, () -> {});

    @AfterEach
    void stop() {
        queue.close();
    }

    @Test
    void retriesFirstConflictAtOnce() {
        assertThat(WorkQueue.delayAfterConflict(1)).isZero();
    }

    @Test
    void conflictDelayGrowsToOneSecond() {
        assertThat(WorkQueue.delayAfterConflict(2)).isBetween(Duration.ofMillis(5), Duration.ofMillis(6));
        assertThat(WorkQueue.delayAfterConflict(3)).isBetween(Duration.ofMillis(9), Duration.ofMillis(11));
        for (int conflicts = 4; conflicts < 40; conflicts++) {
            assertThat(WorkQueue.delayAfterConflict(conflicts)).isLessThanOrEqualTo(Duration.ofSeconds(1));
        }
        assertThat(WorkQueue.delayAfterConflict(40)).isGreaterThanOrEqualTo(Duration.ofMillis(900));
    }

    @Test
    void failureDelayGrowsToMaximum() {
        assertThat(queue.delayAfterFailure(1)).isBetween(Duration.ofMillis(100), Duration.ofMillis(110));
        assertThat(queue.delayAfterFailure(2)).isBetween(Duration.ofMillis(180), Duration.ofMillis(220));
        for (int failures = 3; failures < 40; failures++) {
            assertThat(queue.delayAfterFailure(failures)).isLessThanOrEqualTo(Duration.ofSeconds(10));
        }
        assertThat(queue.delayAfterFailure(40)).isGreaterThanOrEqualTo(Duration.ofSeconds(9));
    }
}
