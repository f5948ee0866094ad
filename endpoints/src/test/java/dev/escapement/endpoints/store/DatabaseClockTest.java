package dev.escapement.endpoints.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Tests the estimate of the database's clock. */
class DatabaseClockTest {

    private final AtomicLong ticker = new AtomicLong();
    private final DatabaseClock clock = new DatabaseClock(1_000_000, ticker::get);

    private void advanceTicker(long micros) {
        ticker.addAndGet(micros * 1_000);
    }

    private void assertClockShows(long micros) {
        assertThat(clock.instant()).isEqualTo(TimeColumns.toInstant(micros));
    }

    @Test
    void advancesBetweenAnswers() {
        assertClockShows(1_000_000);
        advanceTicker(500);
        assertClockShows(1_000_500);
    }

    @Test
    void adoptsLaterTimeAtOnce() {
        advanceTicker(500);
        clock.update(ticker.get(), 1_000_700);
        assertClockShows(1_000_700);
    }

    @Test
    void slowAnswerDoesNotMoveClockBack() {
        long asked = clock.startRequest();
        advanceTicker(5_000);
        clock.update(asked, 1_001_000);
        assertClockShows(1_005_000);
        assertThat(clock.setBackCount()).isZero();
    }

    /** Otherwise a worker that stalled would assume that its new lease is still valid. */
    @Test
    void answerOneMinuteLateDoesNotMoveClockBack() {
        long asked = clock.startRequest();
        advanceTicker(60_000_000);
        clock.update(asked, 1_000_300);
        assertClockShows(61_000_000);
        advanceTicker(500);
        assertClockShows(61_000_500);
    }

    @Test
    void followsDatabaseSetBackByLatestPossibleTime() {
        advanceTicker(10_000_000);
        long asked = clock.startRequest();
        advanceTicker(2_000);
        clock.update(asked, 1_500_000);
        assertClockShows(1_502_000);
        assertThat(clock.setBackCount()).isEqualTo(1);
    }

    @Test
    void slewsWhenAheadOfDatabase() {
        for (int i = 1; i <= 200; i++) {
            advanceTicker(1_000_000);
            clock.update(ticker.get(), 1_000_000 + i * 999_500L);
        }
        assertClockShows(1_000_000 + 200 * 999_500L);
    }

    @Test
    void followsDatabaseSetBack() {
        advanceTicker(10_000_000);
        clock.update(ticker.get(), 1_500_000);
        assertClockShows(1_500_000);
    }
}
