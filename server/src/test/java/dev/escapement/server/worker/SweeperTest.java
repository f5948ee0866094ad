package dev.escapement.server.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What happens on timers goes on happening. */
class SweeperTest {

    private static final Duration RHYTHM = Duration.ofMillis(5);
    private static final int SEVERAL = 4;

    private final AtomicLong nanos = new AtomicLong();
    private final Sweeper sweeper = new Sweeper("sweeping", nanos::get);
    private final CountDownLatch beats = new CountDownLatch(SEVERAL);

    @AfterEach
    void stop() {
        sweeper.close();
    }

    private void itGoesOn() throws InterruptedException {
        assertThat(beats.await(30, TimeUnit.SECONDS))
                .describedAs("%d of %d beats are missing", beats.getCount(), SEVERAL)
                .isTrue();
    }

    @Test
    void whatMustBeDoneInTimeIsNotPutOffBecauseItTookLong() throws InterruptedException {
        // By the share of the time that other tasks get, the second beat would be most of a day away.
        sweeper.steadily(RHYTHM, "a slow renewal", () -> {
            nanos.addAndGet(Duration.ofHours(1).toNanos());
            beats.countDown();
        });
        itGoesOn();
    }

    @Test
    void whatMustBeDoneInTimeIsDoneAgainAfterAFailure() throws InterruptedException {
        sweeper.steadily(RHYTHM, "a failing renewal", this::fail);
        itGoesOn();
    }

    @Test
    void whatIsDoneNowAndThenIsDoneAgainAfterAFailure() throws InterruptedException {
        sweeper.every(RHYTHM, "a failing task", this::fail);
        itGoesOn();
    }

    private void fail() {
        beats.countDown();
        if (beats.getCount() % 2 == 0) {
            throw new IllegalStateException("the database is away");
        }
        throw new StackOverflowError();
    }
}
