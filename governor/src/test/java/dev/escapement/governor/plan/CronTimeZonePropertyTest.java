package dev.escapement.governor.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.testkit.Generator;
import dev.escapement.testkit.Property;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneOffsetTransition;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Checks forty years in many zones against a definition by local time, minute by minute: a local time runs at the first
 * instant whose local time is equal or later.
 */
class CronTimeZonePropertyTest {

    private static final LocalDate FIRST = LocalDate.of(1985, 1, 1);
    private static final LocalDate LAST = LocalDate.of(2025, 1, 1);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    static Stream<ZoneId> zones() {
        return Stream.of(
                        "Europe/Berlin",
                        "Europe/London",
                        "America/New_York",
                        "America/Sao_Paulo",
                        "America/Caracas",
                        "America/St_Johns",
                        "America/Nuuk",
                        "Africa/Cairo",
                        "Africa/Casablanca",
                        "Asia/Tehran",
                        "Asia/Kathmandu",
                        "Asia/Gaza",
                        "Australia/Lord_Howe",
                        "Antarctica/Casey",
                        "Pacific/Apia",
                        "UTC")
                .map(ZoneId::of);
    }

    @ParameterizedTest
    @MethodSource("zones")
    void dailyScheduleRunsOncePerDate(ZoneId zone) {
        Property.forAll(4, gen -> {
            LocalTime time = anyTime(gen, zone);
            CronExpression cron = CronExpression.of("%d %d * * *".formatted(time.getMinute(), time.getHour()), zone);
            List<Instant> expected = FIRST.datesUntil(LAST)
                    .map(date -> expectedRun(date.atTime(time), zone))
                    // Of a date that was skipped and the one after it, both may fall on the first instant after the
                    // gap.
                    .distinct()
                    .toList();
            assertThat(nextRuns(cron, expected.get(0).minusSeconds(1), expected.size()))
                    .describedAs("%s", cron)
                    .isEqualTo(expected);
        });
    }

    @ParameterizedTest
    @MethodSource("zones")
    void runsEachLocalTimeOnceAroundTransitions(ZoneId zone) {
        Property.forAll(4, gen -> {
            Set<Integer> hours = randomSubset(gen, 24, 6);
            Set<Integer> minutes = randomSubset(gen, 60, 4);
            CronExpression cron =
                    CronExpression.of("%s %s * * *".formatted(joinValues(minutes), joinValues(hours)), zone);
            for (ZoneOffsetTransition change : transitions(zone)) {
                Instant from = change.getInstant().minus(Duration.ofHours(4)).truncatedTo(ChronoUnit.MINUTES);
                Instant to = change.getInstant().plus(Duration.ofHours(4));
                List<Instant> expected = runsByLocalTime(zone, from, to, hours, minutes);
                assertThat(nextRuns(cron, from.minusNanos(1), expected.size()))
                        .describedAs("%s around %s", cron, change)
                        .isEqualTo(expected);
            }
        });
    }

    @ParameterizedTest
    @MethodSource("zones")
    void hourlyScheduleRunsAtEveryMatchingInstant(ZoneId zone) {
        Property.forAll(4, gen -> {
            Set<Integer> minutes = randomSubset(gen, 60, 4);
            CronExpression cron = CronExpression.of("%s * * * *".formatted(joinValues(minutes)), zone);
            for (ZoneOffsetTransition change : transitions(zone)) {
                Instant from = change.getInstant().minus(Duration.ofHours(5)).truncatedTo(ChronoUnit.MINUTES);
                List<Instant> expected = Stream.iterate(from, minute -> minute.plus(MINUTE))
                        .limit(10 * 60)
                        .filter(minute -> minutes.contains(minute.atZone(zone).getMinute()))
                        .toList();
                assertThat(nextRuns(cron, from.minusNanos(1), expected.size()))
                        .describedAs("%s around %s", cron, change)
                        .isEqualTo(expected);
            }
        });
    }

    @ParameterizedTest
    @MethodSource("zones")
    void fiveMinuteScheduleFollowsRealTime(ZoneId zone) {
        CronExpression cron = CronExpression.of("*/5 * * * *", zone);
        for (ZoneOffsetTransition change : transitions(zone)) {
            Instant run = cron.next(change.getInstant().minus(Duration.ofHours(4)));
            for (int i = 0; i < 8 * 12; i++) {
                Instant next = cron.next(run);
                assertThat(Duration.between(run, next))
                        .describedAs("after %s", run)
                        .isEqualTo(Duration.ofMinutes(5));
                run = next;
            }
        }
    }

    @Test
    void nextRunsDoNotDependOnStartingPoint() {
        Property.forAll(3_000, gen -> {
            ZoneId zone = gen.oneOf(zones().toList());
            CronExpression cron = CronExpression.of(
                    "%s %s * * *"
                            .formatted(
                                    joinValues(randomSubset(gen, 60, 3)),
                                    gen.oneOf("*", joinValues(randomSubset(gen, 24, 5)))),
                    zone);
            Instant after =
                    Instant.ofEpochSecond(gen.between(473_385_600L, 1_735_689_600L), gen.between(0, 999_999_999));
            Instant next = cron.next(after);
            assertThat(next).isAfter(after);
            Instant between = after.plusNanos(
                    gen.between(0L, Duration.between(after, next).toNanos() - 1));
            assertThat(cron.next(between))
                    .describedAs("%s from %s", cron, between)
                    .isEqualTo(next);
        });
    }

    /** Walks back from a later instant while its local time is not before the given one. */
    private static Instant expectedRun(LocalDateTime local, ZoneId zone) {
        Instant shown = local.atZone(zone).withEarlierOffsetAtOverlap().toInstant();
        if (localTime(shown, zone).equals(local)) {
            return shown;
        }
        while (!localTime(shown.minus(MINUTE), zone).isBefore(local)) {
            shown = shown.minus(MINUTE);
        }
        return shown;
    }

    private static List<Instant> runsByLocalTime(
            ZoneId zone, Instant from, Instant to, Set<Integer> hours, Set<Integer> minutes) {
        Set<Instant> runs = new TreeSet<>();
        LocalDateTime reached = localTime(from.minus(MINUTE), zone);
        for (Instant minute = from; minute.isBefore(to); minute = minute.plus(MINUTE)) {
            // Local time has advanced, possibly by a jump: everything up to it is due now.
            for (LocalDateTime due = reached.plusMinutes(1);
                    !due.isAfter(localTime(minute, zone));
                    due = due.plusMinutes(1)) {
                reached = due;
                if (hours.contains(due.getHour()) && minutes.contains(due.getMinute())) {
                    runs.add(minute);
                }
            }
        }
        return new ArrayList<>(runs);
    }

    private static LocalDateTime localTime(Instant instant, ZoneId zone) {
        return LocalDateTime.ofInstant(instant, zone);
    }

    private static List<Instant> nextRuns(CronExpression cron, Instant after, int length) {
        return Stream.iterate(cron.next(after), cron::next).limit(length).toList();
    }

    private static List<ZoneOffsetTransition> transitions(ZoneId zone) {
        Instant end = LAST.atStartOfDay(zone).toInstant();
        return Stream.iterate(
                        zone.getRules().nextTransition(FIRST.atStartOfDay(zone).toInstant()),
                        change -> change != null && change.getInstant().isBefore(end),
                        change -> zone.getRules().nextTransition(change.getInstant()))
                .toList();
    }

    /** Returns a local time, mostly one that a transition of the zone skips or repeats. */
    private static LocalTime anyTime(Generator gen, ZoneId zone) {
        List<ZoneOffsetTransition> changes = transitions(zone);
        if (changes.isEmpty() || gen.oneIn(4)) {
            return LocalTime.of(gen.between(0, 23), gen.between(0, 59));
        }
        ZoneOffsetTransition change = gen.oneOf(changes);
        long length = change.getDuration().abs().toMinutes();
        LocalDateTime start = change.isGap() ? change.getDateTimeBefore() : change.getDateTimeAfter();
        return start.plusMinutes(gen.between(0L, length)).toLocalTime();
    }

    private static Set<Integer> randomSubset(Generator gen, int below, int most) {
        return IntStream.range(0, gen.between(1, most))
                .mapToObj(i -> gen.between(0, below - 1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String joinValues(Set<Integer> values) {
        return values.stream().map(String::valueOf).collect(Collectors.joining(","));
    }
}
