package dev.escapement.endpoints.store.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The clock of the database, known from its answers. */
class StoreClockTest {

    private final AtomicLong nanos = new AtomicLong();
    private final StoreClock clock = new StoreClock(1_000_000, nanos::get);

    private void pass(long micros) {
        nanos.addAndGet(micros * 1_000);
    }

    private void shows(long micros) {
        assertThat(clock.instant()).isEqualTo(Times.instant(micros));
    }

    @Test
    void itGoesOnBetweenAnswers() {
        shows(1_000_000);
        pass(500);
        shows(1_000_500);
    }

    @Test
    void aLaterTimeIsBelievedAtOnce() {
        pass(500);
        clock.told(nanos.get(), 1_000_700);
        shows(1_000_700);
    }

    @Test
    void anAnswerThatWasSlowDoesNotTurnItBack() {
        long asked = clock.asking();
        pass(5_000);
        clock.told(asked, 1_001_000);
        shows(1_005_000);
    }

    /** Or a worker whose process stood still would believe that it still holds what it has just claimed. */
    @Test
    void anAnswerThatCameAMinuteLateDoesNotTurnItBack() {
        long asked = clock.asking();
        pass(60_000_000);
        clock.told(asked, 1_000_300);
        shows(61_000_000);
        pass(500);
        shows(61_000_500);
    }

    @Test
    void aDatabaseThatWasSetBackIsFollowedAsFarAsItsAnswerCanBeOld() {
        pass(10_000_000);
        long asked = clock.asking();
        pass(2_000);
        clock.told(asked, 1_500_000);
        shows(1_502_000);
    }

    @Test
    void whoIsAheadIsCaughtUpWithSlowly() {
        for (int i = 1; i <= 200; i++) {
            pass(1_000_000);
            clock.told(nanos.get(), 1_000_000 + i * 999_500L);
        }
        shows(1_000_000 + 200 * 999_500L);
    }

    @Test
    void aDatabaseWhoseClockWasSetBackIsFollowed() {
        pass(10_000_000);
        clock.told(nanos.get(), 1_500_000);
        shows(1_500_000);
    }
}
