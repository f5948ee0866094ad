package dev.escapement.benchmarks.endpoints;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.crashtests.kit.RecordedCall;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CallStatisticsTest {

    private static final Instant START = Instant.parse("2026-11-16T12:00:00Z");

    private final Timetable timetable =
            new Timetable(2, START, Duration.ofMillis(100), Duration.ofSeconds(1), 7, List.of(80, 81));
    private final List<RecordedCall> recordedCalls = new ArrayList<>();

    private void addCall(int endpoint, long round, long millisLate) {
        Instant at = timetable.slot(endpoint, round).plusMillis(millisLate);
        recordedCalls.add(
                new RecordedCall(RecordedCall.epochMicros(at), "/" + endpoint, timetable.key(endpoint, round)));
    }

    @Test
    void timetableSurvivesFormatAndParse() {
        assertThat(Timetable.parse(timetable.format())).isEqualTo(timetable);
        assertThat(timetable.slot(1, 3)).isEqualTo(START.plusMillis(2_100));
        assertThat(timetable.round(1, START.plusMillis(2_100))).isEqualTo(3);
        assertThat(timetable.key(1, 3)).isEqualTo("e1-10");
        assertThat(timetable.url(1)).isEqualTo("http://127.0.0.1:81/1");
    }

    @Test
    void findsRoundOfSlotRoundedByDatabase() {
        Timetable odd =
                new Timetable(1, START.plusNanos(1_234_567), Duration.ZERO, Duration.ofSeconds(1), 0, List.of(80));
        assertThat(odd.round(0, odd.slot(0, 3).truncatedTo(ChronoUnit.MICROS))).isEqualTo(3);
    }

    @Test
    void measuresLatenessFromSlotOfCall() {
        addCall(0, 1, 900);
        addCall(0, 2, 10);
        addCall(1, 2, 30);
        CallStatistics statistics = CallStatistics.calculate(recordedCalls, timetable, 2, 2);
        assertThat(statistics.isExact()).isTrue();
        assertThat(statistics.latenessAt(50)).isEqualTo(10);
        assertThat(statistics.latenessAt(100)).isEqualTo(30);
    }

    @Test
    void measuresRateFromFirstSlotToLastCall() {
        addCall(0, 1, 5);
        addCall(1, 1, 400);
        assertThat(CallStatistics.calculate(recordedCalls, timetable, 1, 1).medianRate())
                .isEqualTo(4);
    }

    @Test
    void countsMissingAndDuplicateCalls() {
        addCall(0, 1, 1);
        addCall(0, 1, 2);
        CallStatistics statistics = CallStatistics.calculate(recordedCalls, timetable, 1, 1);
        assertThat(statistics.missing()).isEqualTo(1);
        assertThat(statistics.duplicates()).isEqualTo(1);
        assertThat(statistics.isExact()).isFalse();
    }

    @Test
    void latenessIsInfiniteWithoutCalls() {
        CallStatistics statistics = CallStatistics.calculate(recordedCalls, timetable, 1, 2);
        assertThat(statistics.latenessAt(99)).isInfinite();
        assertThat(statistics.medianRate()).isZero();
    }

    @Test
    void callInNextSlotIsLateByInterval() {
        // The second run is called in the third slot, with the key of the second.
        recordedCalls.add(new RecordedCall(RecordedCall.epochMicros(timetable.slot(0, 3)), "/0", timetable.key(0, 2)));
        assertThat(CallStatistics.calculate(recordedCalls, timetable, 2, 2).latenessAt(100))
                .isEqualTo(1_000);
    }
}
