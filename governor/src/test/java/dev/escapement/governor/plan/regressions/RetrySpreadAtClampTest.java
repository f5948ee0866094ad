package dev.escapement.governor.plan.regressions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.governor.plan.FixedInterval;
import dev.escapement.governor.plan.Hint.IntervalHint;
import dev.escapement.governor.plan.RunHistory;
import dev.escapement.governor.plan.RunHistory.LastRun;
import dev.escapement.governor.plan.RunPlanner;
import dev.escapement.governor.plan.Schedule;
import dev.escapement.testkit.Property;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Endpoints that failed together used to retry together, exactly at the clamp or right after an outage. */
class RetrySpreadAtClampTest {

    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
    private static final int ENDPOINTS = 1_000;
    private static final int BINS = 20;

    /** An interval of a minute; all times in seconds. The retry times, from now, are counted in twenty bins. */
    @ParameterizedTest
    @CsvSource({
        // failures, down for, min, max, from, to
        "4, 0,    ,    300, 270,  300",
        "2, 0,    600, ,    600,  660",
        "2, 0,    600, 620, 600,  620", // no room for all of the spread
        "2, 0,    200, 215, 200,  215",
        "1, 0,    ,    121, 108,  121", // hardly any room above the base
        "1, 0,    ,    60,  54,   60",
        "5, 0,    1919, ,   1919, 2112", // hardly any room below the cap
        "1, 7200, ,    ,    0,    13.3",
        "5, 7200, ,    ,    0,    192.1",
        "5, 7200, ,    60,  0,    6.1",
        "5, 7200, 600, ,    600,  793",
        "5, 7200, 600, 660, 600,  660",
    })
    void spreadsRetriesMovedByClampOrOutage(int failures, long down, Long min, Long max, double from, double to) {
        Function<String, Schedule> schedules = key ->
                Schedule.of(key, new FixedInterval(Duration.ofMinutes(1))).withClamps(seconds(min), seconds(max));
        List<Instant> herd = plannedRuns(schedules, historyWithFailures(failures, NOW.minusSeconds(down)));
        assertThat(herd).noneMatch(at -> secondsFromNow(at) < from || secondsFromNow(at) > to);
        assertThat(largestGroup(herd, at -> (int) ((secondsFromNow(at) - from) / (to - from) * BINS)))
                .isLessThan(ENDPOINTS * 15 / 100);
        assertThat(largestGroup(herd, Function.identity())).isLessThan(5);
    }

    @Test
    void spreadsRetriesMovedByClampedHint() {
        IntervalHint hint = new IntervalHint(Duration.ofHours(1), NOW, NOW.plusSeconds(7_200), "ada", "too loud");
        Function<String, Schedule> schedules = key -> Schedule.of(key, new FixedInterval(Duration.ofMinutes(1)))
                .withHints(List.of(hint))
                .withClamps(Optional.empty(), seconds(300L));
        List<Instant> herd = plannedRuns(schedules, historyWithFailures(1, NOW));
        assertThat(herd).noneMatch(at -> secondsFromNow(at) < 270 || secondsFromNow(at) > 300);
        assertThat(largestGroup(herd, Function.identity())).isLessThan(5);
    }

    @Test
    void equalMinAndMaxAllowNoSpread() {
        Function<String, Schedule> schedules = key ->
                Schedule.of(key, new FixedInterval(Duration.ofMinutes(1))).withClamps(seconds(300L), seconds(300L));
        assertThat(plannedRuns(schedules, historyWithFailures(1, NOW))).containsOnly(NOW.plusSeconds(300));
    }

    @Test
    void slightlyLateRetryWaitsOnlySlightly() {
        Schedule schedule = Schedule.of("endpoint-1", new FixedInterval(Duration.ofMinutes(1)));
        Instant due = RunPlanner.withDefaultJitter()
                .planNextRun(schedule, historyWithFailures(5, NOW), NOW)
                .at();
        assertThat(RunPlanner.withDefaultJitter()
                        .planNextRun(schedule, historyWithFailures(5, NOW), due.plusMillis(10))
                        .at())
                .isBetween(due.plusMillis(11), due.plusMillis(22));
    }

    @Test
    void neverCrowdsRetriesAtOneInstant() {
        Property.forAll(50, gen -> {
            long every = 1_000 + gen.magnitude(86_400_000);
            long min = 1 + gen.magnitude(40 * every);
            long max = min + 1_000 + gen.magnitude(40 * every);
            Optional<Duration> least = gen.oneIn(4) ? Optional.empty() : Optional.of(Duration.ofMillis(min));
            Optional<Duration> most = gen.oneIn(4) ? Optional.empty() : Optional.of(Duration.ofMillis(max));
            FixedInterval interval = new FixedInterval(Duration.ofMillis(every));
            Instant ended = NOW.minusMillis(gen.oneIn(2) ? 0 : gen.magnitude(100 * every));
            List<Instant> herd = plannedRuns(
                    key -> Schedule.of(key, interval).withClamps(least, most),
                    historyWithFailures(gen.between(1, 8), ended));
            assertThat(largestGroup(herd, Function.identity())).isLessThan(ENDPOINTS * 3 / 100);
            least.map(NOW::plus).ifPresent(from -> assertThat(herd).noneMatch(from::isAfter));
            most.map(NOW::plus).ifPresent(to -> assertThat(herd).noneMatch(to::isBefore));
            assertThat(herd).allMatch(NOW::isBefore);
        });
    }

    private static List<Instant> plannedRuns(Function<String, Schedule> schedules, RunHistory history) {
        return IntStream.range(0, ENDPOINTS)
                .mapToObj(i -> schedules.apply("endpoint-" + i))
                .map(schedule -> RunPlanner.withDefaultJitter()
                        .planNextRun(schedule, history, NOW)
                        .at())
                .toList();
    }

    private static RunHistory historyWithFailures(int failures, Instant ended) {
        return new RunHistory(ended, failures, Optional.of(new LastRun(ended, ended)));
    }

    private static long largestGroup(Collection<Instant> herd, Function<Instant, ?> group) {
        Map<?, Long> sizes = herd.stream().collect(Collectors.groupingBy(group, Collectors.counting()));
        return sizes.values().stream().mapToLong(Long::longValue).max().orElseThrow();
    }

    private static double secondsFromNow(Instant at) {
        return Duration.between(NOW, at).toNanos() / 1e9;
    }

    private static Optional<Duration> seconds(Long seconds) {
        return Optional.ofNullable(seconds).map(Duration::ofSeconds);
    }
}
