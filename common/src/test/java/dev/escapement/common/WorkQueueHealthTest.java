package dev.escapement.common;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.common.WorkQueue.WorkResult;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WorkQueueHealthTest {

    private record KeyedItem(String key) implements WorkQueue.Item<KeyedItem> {
        @Override
        public KeyedItem mergedWith(KeyedItem earlier) {
            return this;
        }
    }

    private static final Duration LIMIT = Duration.ofMinutes(1);

    private final AtomicLong ticks = new AtomicLong();
    private final Semaphore failures = new Semaphore(0);
    private final BlockingQueue<String> started = new LinkedBlockingQueue<>();
    private final CountDownLatch release = new CountDownLatch(1);
    private final WorkQueue<KeyedItem> queue = new WorkQueue<>(
            2, Duration.ofHours(1), (item, attempt, failure) -> failures.release(), () -> {}, ticks::get);

    @AfterEach
    void stop() {
        release.countDown();
        queue.close();
    }

    private WorkResult process(KeyedItem item) {
        started.add(item.key());
        if (item.key().startsWith("poison")) {
            throw new IllegalStateException("damaged");
        }
        try {
            release.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        return WorkResult.DONE;
    }

    @Test
    void isStuckWhenAllThreadsAreBusyForLong() throws InterruptedException {
        queue.start(this::process);
        queue.add(new KeyedItem("a"));
        assertThat(started.poll(60, TimeUnit.SECONDS)).isEqualTo("a");
        ticks.addAndGet(LIMIT.toNanos() + 1);
        assertThat(queue.isStuck(LIMIT)).describedAs("one thread is free").isFalse();
        queue.add(new KeyedItem("b"));
        assertThat(started.poll(60, TimeUnit.SECONDS)).isEqualTo("b");
        assertThat(queue.isStuck(LIMIT))
                .describedAs("the second began just now")
                .isFalse();
        ticks.addAndGet(LIMIT.toNanos() + 1);
        assertThat(queue.isStuck(LIMIT)).isTrue();
    }

    @Test
    void countsItemsThatFailForLong() throws InterruptedException {
        queue.start(this::process);
        queue.add(new KeyedItem("poison"));
        assertThat(failures.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
        assertThat(queue.countFailing(LIMIT)).isZero();
        ticks.addAndGet(LIMIT.toNanos() + 1);
        // Merged into the one that waits, and processed at once: it fails again, and still counts from its first
        // failure.
        queue.add(new KeyedItem("poison"));
        assertThat(failures.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
        assertThat(queue.countFailing(LIMIT)).isEqualTo(1);
        assertThat(queue.isStuck(LIMIT)).isFalse();
    }
}
