package dev.escapement.benchmarks.endpoints;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Figures that cannot be bad prove nothing. */
class FiguresTest {

    private static final Instant START = Instant.parse("2026-11-16T12:00:00Z");

    private final Timetable timetable =
            new Timetable(2, START, Duration.ofMillis(100), Duration.ofSeconds(1), 7, List.of(80, 81));
    private final List<Arrival> arrivals = new ArrayList<>();

    private void arrives(int endpoint, long round, long millisLate) {
        Instant at = timetable.slot(endpoint, round).plusMillis(millisLate);
        arrivals.add(new Arrival(Arrival.micros(at), "/" + endpoint, timetable.key(endpoint, round)));
    }

    @Test
    void aTimetableSurvivesTheWayToAnotherProcess() {
        assertThat(Timetable.read(timetable.write())).isEqualTo(timetable);
        assertThat(timetable.slot(1, 3)).isEqualTo(START.plusMillis(2_100));
        assertThat(timetable.round(1, START.plusMillis(2_100))).isEqualTo(3);
        assertThat(timetable.key(1, 3)).isEqualTo("e1-10");
        assertThat(timetable.url(1)).isEqualTo("http://127.0.0.1:81/1");
    }

    @Test
    void aSlotIsFoundAgainWhenADatabaseHasRoundedIt() {
        Timetable odd =
                new Timetable(1, START.plusNanos(1_234_567), Duration.ZERO, Duration.ofSeconds(1), 0, List.of(80));
        assertThat(odd.round(0, odd.slot(0, 3).truncatedTo(ChronoUnit.MICROS))).isEqualTo(3);
    }

    @Test
    void latenessCountsFromTheSlotOfEachCall() {
        arrives(0, 1, 900);
        arrives(0, 2, 10);
        arrives(1, 2, 30);
        Figures figures = Figures.of(arrivals, timetable, 2, 2);
        assertThat(figures.isExact()).isTrue();
        assertThat(figures.late(50)).isEqualTo(10);
        assertThat(figures.late(100)).isEqualTo(30);
    }

    @Test
    void theRateCountsFromTheFirstSlotToTheLastCall() {
        arrives(0, 1, 5);
        arrives(1, 1, 400);
        assertThat(Figures.of(arrivals, timetable, 1, 1).median()).isEqualTo(4);
    }

    @Test
    void whatIsMissingOrCameTwiceIsSeen() {
        arrives(0, 1, 1);
        arrives(0, 1, 2);
        Figures figures = Figures.of(arrivals, timetable, 1, 1);
        assertThat(figures.missing()).isEqualTo(1);
        assertThat(figures.twice()).isEqualTo(1);
        assertThat(figures.isExact()).isFalse();
    }

    @Test
    void nothingAtAllIsInfinitelyLate() {
        Figures figures = Figures.of(arrivals, timetable, 1, 2);
        assertThat(figures.late(99)).isInfinite();
        assertThat(figures.median()).isZero();
    }

    @Test
    void aMissedBeatIsLateByTheInterval() {
        // The second run comes in the third slot, under the key of the second.
        arrivals.add(new Arrival(Arrival.micros(timetable.slot(0, 3)), "/0", timetable.key(0, 2)));
        assertThat(Figures.of(arrivals, timetable, 2, 2).late(100)).isEqualTo(1_000);
    }
}
