package dev.escapement.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PeriodicTasksTest {

    private static final Duration INTERVAL = Duration.ofMillis(5);
    private static final int EXPECTED_RUNS = 4;

    private final AtomicLong ticks = new AtomicLong();
    private final PeriodicTasks tasks = new PeriodicTasks("sweeping", ticks::get);
    private final CountDownLatch remainingRuns = new CountDownLatch(EXPECTED_RUNS);

    @AfterEach
    void stop() {
        tasks.close();
    }

    private void assertKeepsRunning() throws InterruptedException {
        assertThat(remainingRuns.await(30, TimeUnit.SECONDS))
                .describedAs("%d of %d runs are missing", remainingRuns.getCount(), EXPECTED_RUNS)
                .isTrue();
    }

    @Test
    void fixedDelayTaskIsNotThrottledWhenSlow() throws InterruptedException {
        // With throttling the second run would be most of a day away.
        tasks.scheduleFixedDelay(INTERVAL, "a slow renewal", () -> {
            ticks.addAndGet(Duration.ofHours(1).toNanos());
            remainingRuns.countDown();
        });
        assertKeepsRunning();
    }

    @Test
    void fixedDelayTaskRunsAgainAfterFailure() throws InterruptedException {
        tasks.scheduleFixedDelay(INTERVAL, "a failing renewal", this::countAndFail);
        assertKeepsRunning();
    }

    @Test
    void throttledTaskRunsAgainAfterFailure() throws InterruptedException {
        tasks.scheduleThrottled(INTERVAL, "a failing task", this::countAndFail);
        assertKeepsRunning();
    }

    private void countAndFail() {
        remainingRuns.countDown();
        if (remainingRuns.getCount() % 2 == 0) {
            throw new IllegalStateException("the database is away");
        }
        throw new StackOverflowError();
    }
}
