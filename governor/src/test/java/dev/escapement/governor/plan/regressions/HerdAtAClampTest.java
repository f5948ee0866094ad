package dev.escapement.governor.plan.regressions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.governor.plan.History;
import dev.escapement.governor.plan.Interval;
import dev.escapement.governor.plan.IntervalHint;
import dev.escapement.governor.plan.PastRun;
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

/** Endpoints that failed together used to come back together, exactly at the clamp or right after an outage. */
class HerdAtAClampTest {

    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
    private static final int HERD = 1_000;
    private static final int BINS = 20;

    /** Every minute; all times in seconds. Where they come back, counted from now, is cut into twenty bins. */
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
    void clampsAndOutagesSpreadWhatTheyMove(int failures, long down, Long min, Long max, double from, double to) {
        Function<String, Schedule> schedules =
                key -> Schedule.of(key, new Interval(Duration.ofMinutes(1))).clampedTo(seconds(min), seconds(max));
        List<Instant> herd = herd(schedules, failed(failures, NOW.minusSeconds(down)));
        assertThat(herd).noneMatch(at -> fromNow(at) < from || fromNow(at) > to);
        assertThat(largest(herd, at -> (int) ((fromNow(at) - from) / (to - from) * BINS)))
                .isLessThan(HERD * 15 / 100);
        assertThat(largest(herd, Function.identity())).isLessThan(5);
    }

    @Test
    void neitherDoesAHintThatIsClampedGatherThem() {
        IntervalHint hint = new IntervalHint(Duration.ofHours(1), NOW, NOW.plusSeconds(7_200), "ada", "too loud");
        Function<String, Schedule> schedules = key -> Schedule.of(key, new Interval(Duration.ofMinutes(1)))
                .withHints(List.of(hint))
                .clampedTo(Optional.empty(), seconds(300L));
        List<Instant> herd = herd(schedules, failed(1, NOW));
        assertThat(herd).noneMatch(at -> fromNow(at) < 270 || fromNow(at) > 300);
        assertThat(largest(herd, Function.identity())).isLessThan(5);
    }

    @Test
    void minEqualToMaxLeavesNoRoomAndIsObeyed() {
        Function<String, Schedule> schedules =
                key -> Schedule.of(key, new Interval(Duration.ofMinutes(1))).clampedTo(seconds(300L), seconds(300L));
        assertThat(herd(schedules, failed(1, NOW))).containsOnly(NOW.plusSeconds(300));
    }

    @Test
    void whoIsHardlyLateHardlyWaits() {
        Schedule schedule = Schedule.of("endpoint-1", new Interval(Duration.ofMinutes(1)));
        Instant due =
                RunPlanner.standard().planNextRun(schedule, failed(5, NOW), NOW).at();
        assertThat(RunPlanner.standard()
                        .planNextRun(schedule, failed(5, NOW), due.plusMillis(10))
                        .at())
                .isBetween(due.plusMillis(11), due.plusMillis(22));
    }

    @Test
    void whateverTheClampsAndTheOutageNoInstantIsCrowded() {
        Property.forAll(50, gen -> {
            long every = 1_000 + gen.magnitude(86_400_000);
            long min = 1 + gen.magnitude(40 * every);
            long max = min + 1_000 + gen.magnitude(40 * every);
            Optional<Duration> least = gen.once(4) ? Optional.empty() : Optional.of(Duration.ofMillis(min));
            Optional<Duration> most = gen.once(4) ? Optional.empty() : Optional.of(Duration.ofMillis(max));
            Interval interval = new Interval(Duration.ofMillis(every));
            Instant ended = NOW.minusMillis(gen.once(2) ? 0 : gen.magnitude(100 * every));
            List<Instant> herd =
                    herd(key -> Schedule.of(key, interval).clampedTo(least, most), failed(gen.between(1, 8), ended));
            assertThat(largest(herd, Function.identity())).isLessThan(HERD * 3 / 100);
            least.map(NOW::plus).ifPresent(from -> assertThat(herd).noneMatch(from::isAfter));
            most.map(NOW::plus).ifPresent(to -> assertThat(herd).noneMatch(to::isBefore));
            assertThat(herd).allMatch(NOW::isBefore);
        });
    }

    private static List<Instant> herd(Function<String, Schedule> schedules, History history) {
        return IntStream.range(0, HERD)
                .mapToObj(i -> schedules.apply("endpoint-" + i))
                .map(schedule -> RunPlanner.standard()
                        .planNextRun(schedule, history, NOW)
                        .at())
                .toList();
    }

    private static History failed(int failures, Instant ended) {
        return new History(ended, failures, Optional.of(new PastRun(ended, ended)));
    }

    private static long largest(Collection<Instant> herd, Function<Instant, ?> group) {
        Map<?, Long> sizes = herd.stream().collect(Collectors.groupingBy(group, Collectors.counting()));
        return sizes.values().stream().mapToLong(Long::longValue).max().orElseThrow();
    }

    private static double fromNow(Instant at) {
        return Duration.between(NOW, at).toNanos() / 1e9;
    }

    private static Optional<Duration> seconds(Long seconds) {
        return Optional.ofNullable(seconds).map(Duration::ofSeconds);
    }
}
