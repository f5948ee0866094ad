package dev.escapement.governor.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nonsense is refused when it is said, with the value and the rule, and never planned with. */
class RefusalsTest {

    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
    private static final Schedule SCHEDULE = Schedule.of("endpoint-1", new Interval(Duration.ofMinutes(1)));

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT-1S", "PT0.000999999S", "PT8784H0.001S", "PT2562047788015215H30M7.999999999S"})
    void anIntervalIsFromAMillisecondToAYear(Duration every) {
        String rule = " is %s: it must be from PT0.001S to PT8784H (a year)".formatted(every);
        refused("interval" + rule, () -> new Interval(every));
        refused("interval hint" + rule, () -> new IntervalHint(every, NOW, NOW, "ops", "test"));
        refused("min interval" + rule, () -> SCHEDULE.clampedTo(Optional.of(every), Optional.empty()));
        refused("max interval" + rule, () -> SCHEDULE.clampedTo(Optional.empty(), Optional.of(every)));
    }

    @Test
    void anIntervalIsWholeMilliseconds() {
        assertThat(new Interval(Duration.ofMillis(1))).hasToString("every 1ms");
        assertThat(new Interval(Duration.ofDays(366))).hasToString("every 366d");
        refused(
                "interval is PT1.0000001S: it must be whole milliseconds",
                () -> new Interval(Duration.parse("PT1.0000001S")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1899-12-31T23:59:59.999999999Z",
                "+10000-01-01T00:00:00Z",
                "-1000000000-01-01T00:00:00Z",
                "+1000000000-12-31T23:59:59.999999999Z"
            })
    void timesOutsideTheCalendarAreRefusedEverywhere(Instant time) {
        String rule = " is %s: it must be from 1900-01-01T00:00:00Z to 9999-12-31T23:59:59.999999999Z".formatted(time);
        refused("pause end" + rule, () -> SCHEDULE.pausedUntil(time));
        refused("origin" + rule, () -> History.fresh(time));
        refused("origin" + rule, () -> History.fresh(NOW).rebased(time));
        refused("slot of the last run" + rule, () -> History.fresh(NOW).succeeded(time, NOW));
        refused("end of the last run" + rule, () -> History.fresh(NOW).failed(NOW, time));
        refused(
                "time of the one-shot hint" + rule,
                () -> new OneShotHint(time, NOW, NOW.plusSeconds(1), "ops", "test"));
        refused("time of giving of the one-shot hint" + rule, () -> new OneShotHint(NOW, time, NOW, "ops", "test"));
        refused(
                "time of giving of the interval hint" + rule,
                () -> new IntervalHint(Duration.ofDays(1), time, NOW, "ops", "test"));
        refused("expiry of the one-shot hint" + rule, () -> new OneShotHint(NOW, NOW, time, "ops", "test"));
        refused(
                "expiry of the interval hint" + rule,
                () -> new IntervalHint(Duration.ofDays(1), NOW, time, "ops", "test"));
        refused("now" + rule, () -> RunPlanner.standard().planNextRun(SCHEDULE, History.fresh(NOW), time));
    }

    @Test
    void theEdgesOfTheCalendarAreInside() {
        assertThat(History.fresh(Limits.EARLIEST).origin()).isEqualTo(Instant.parse("1900-01-01T00:00:00Z"));
        assertThat(History.fresh(Limits.LATEST).origin()).isEqualTo(Instant.parse("9999-12-31T23:59:59.999999999Z"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "  "})
    void whoAndWhyAreGiven(String blank) {
        String rule = " is \"%s\": it must not be blank".formatted(blank);
        Instant later = NOW.plusSeconds(60);
        refused("schedule key" + rule, () -> Schedule.of(blank, SCHEDULE.baseline()));
        refused("author of the one-shot hint" + rule, () -> new OneShotHint(NOW, NOW, later, blank, "test"));
        refused("reason of the one-shot hint" + rule, () -> new OneShotHint(NOW, NOW, later, "ops", blank));
        refused(
                "author of the interval hint" + rule,
                () -> new IntervalHint(Duration.ofDays(1), NOW, later, blank, "test"));
        refused(
                "reason of the interval hint" + rule,
                () -> new IntervalHint(Duration.ofDays(1), NOW, later, "ops", blank));
    }

    @ParameterizedTest
    @ValueSource(strings = {"2026-03-01T12:00:00Z", "2026-03-01T11:59:59.999999999Z"})
    void aOneShotIsDueBeforeItExpires(Instant expiry) {
        refused(
                "one-shot hint is for 2026-03-01T12:00:00Z and expires at %s: it must expire later than it is due"
                        .formatted(expiry),
                () -> new OneShotHint(NOW, NOW.minusSeconds(1), expiry, "ops", "test"));
        assertThat(new OneShotHint(NOW, NOW, NOW.plusNanos(1), "ops", "test").at())
                .isEqualTo(NOW);
    }

    @ParameterizedTest
    @ValueSource(strings = {"2026-03-01T12:00:00Z", "2026-03-01T11:59:59.999999999Z"})
    void aHintIsGivenBeforeItExpires(Instant expiry) {
        String rule = " was given at 2026-03-01T12:00:00Z and expires at %s: it must expire later than that"
                .formatted(expiry);
        Instant earlier = NOW.minusSeconds(60);
        refused("one-shot hint" + rule, () -> new OneShotHint(earlier, NOW, expiry, "ops", "test"));
        refused("interval hint" + rule, () -> new IntervalHint(Duration.ofDays(1), NOW, expiry, "ops", "test"));
    }

    @Test
    void minIsNotLongerThanMax() {
        Optional<Duration> minute = Optional.of(Duration.ofMinutes(1));
        Optional<Duration> more = Optional.of(Duration.ofMillis(60_001));
        refused("min interval PT1M0.001S is longer than max interval PT1M", () -> SCHEDULE.clampedTo(more, minute));
        assertThat(SCHEDULE.clampedTo(minute, minute).minInterval()).isEqualTo(minute);
        assertThat(SCHEDULE.clampedTo(minute, more).maxInterval()).isEqualTo(more);
    }

    @Test
    void failuresAreCountedFromRuns() {
        refused("failures is -1: it must not be negative", () -> new History(NOW, -1, Optional.empty()));
        refused("failures is 1: it must be 0 as long as no run has ended", () -> new History(NOW, 1, Optional.empty()));
        History most = new History(NOW, Integer.MAX_VALUE, Optional.of(new PastRun(NOW, NOW)));
        assertThat(most.failed(NOW, NOW).failures()).isEqualTo(Integer.MAX_VALUE);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 51})
    void jitterIsFromZeroToFiftyPercent(int percent) {
        refused(
                "backoff jitterPercent is %d: it must be from 0 to 50".formatted(percent),
                () -> new RunPlanner(percent));
    }

    @Test
    void hintsCannotBeChangedBehindTheSchedule() {
        List<Hint> hints = new ArrayList<>();
        Schedule schedule = SCHEDULE.withHints(hints);
        hints.add(new OneShotHint(NOW, NOW, NOW.plusSeconds(1), "ops", "test"));
        assertThat(schedule.hints()).isEmpty();
    }

    private static void refused(String message, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class).hasMessage(message);
    }
}
