package dev.escapement.governor.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.governor.plan.Hint.IntervalHint;
import dev.escapement.governor.plan.Hint.OneShotHint;
import dev.escapement.governor.plan.RunHistory.LastRun;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Invalid values are rejected with the value and the rule. */
class ScheduleValidationTest {

    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
    private static final Schedule SCHEDULE = Schedule.of("endpoint-1", new FixedInterval(Duration.ofMinutes(1)));

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT-1S", "PT0.000999999S", "PT8784H0.001S", "PT2562047788015215H30M7.999999999S"})
    void rejectsIntervalOutOfRange(Duration every) {
        String rule = " is %s: it must be from PT0.001S to PT8784H (a year)".formatted(every);
        assertRejected("interval" + rule, () -> new FixedInterval(every));
        assertRejected("interval hint" + rule, () -> new IntervalHint(every, NOW, NOW, "ops", "test"));
        assertRejected("min interval" + rule, () -> SCHEDULE.withClamps(Optional.of(every), Optional.empty()));
        assertRejected("max interval" + rule, () -> SCHEDULE.withClamps(Optional.empty(), Optional.of(every)));
    }

    @Test
    void rejectsIntervalWithFractionalMillis() {
        assertThat(new FixedInterval(Duration.ofMillis(1))).hasToString("every 1ms");
        assertThat(new FixedInterval(Duration.ofDays(366))).hasToString("every 366d");
        assertRejected(
                "interval is PT1.0000001S: it must be whole milliseconds",
                () -> new FixedInterval(Duration.parse("PT1.0000001S")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1899-12-31T23:59:59.999999999Z",
                "+10000-01-01T00:00:00Z",
                "-1000000000-01-01T00:00:00Z",
                "+1000000000-12-31T23:59:59.999999999Z"
            })
    void rejectsInstantsOutsideLimits(Instant time) {
        String rule = " is %s: it must be from 1900-01-01T00:00:00Z to 9999-12-31T23:59:59.999999999Z".formatted(time);
        assertRejected("pause end" + rule, () -> SCHEDULE.pausedUntil(time));
        assertRejected("origin" + rule, () -> RunHistory.initial(time));
        assertRejected("origin" + rule, () -> RunHistory.initial(NOW).withOrigin(time));
        assertRejected(
                "slot of the last run" + rule, () -> RunHistory.initial(NOW).withSuccess(time, NOW));
        assertRejected(
                "end of the last run" + rule, () -> RunHistory.initial(NOW).withFailure(NOW, time, Optional.empty()));
        assertRejected(
                "time of the one-shot hint" + rule,
                () -> new OneShotHint(time, NOW, NOW.plusSeconds(1), "ops", "test"));
        assertRejected(
                "time of giving of the one-shot hint" + rule, () -> new OneShotHint(NOW, time, NOW, "ops", "test"));
        assertRejected(
                "time of giving of the interval hint" + rule,
                () -> new IntervalHint(Duration.ofDays(1), time, NOW, "ops", "test"));
        assertRejected("expiry of the one-shot hint" + rule, () -> new OneShotHint(NOW, NOW, time, "ops", "test"));
        assertRejected(
                "expiry of the interval hint" + rule,
                () -> new IntervalHint(Duration.ofDays(1), NOW, time, "ops", "test"));
        assertRejected(
                "now" + rule,
                () -> RunPlanner.withDefaultJitter().planNextRun(SCHEDULE, RunHistory.initial(NOW), time));
    }

    @Test
    void acceptsBoundaryInstants() {
        assertThat(RunHistory.initial(ScheduleLimits.MIN_INSTANT).origin())
                .isEqualTo(Instant.parse("1900-01-01T00:00:00Z"));
        assertThat(RunHistory.initial(ScheduleLimits.MAX_INSTANT).origin())
                .isEqualTo(Instant.parse("9999-12-31T23:59:59.999999999Z"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "  "})
    void rejectsBlankAuthorAndReason(String blank) {
        String rule = " is \"%s\": it must not be blank".formatted(blank);
        Instant later = NOW.plusSeconds(60);
        assertRejected("schedule key" + rule, () -> Schedule.of(blank, SCHEDULE.baseline()));
        assertRejected("author of the one-shot hint" + rule, () -> new OneShotHint(NOW, NOW, later, blank, "test"));
        assertRejected("reason of the one-shot hint" + rule, () -> new OneShotHint(NOW, NOW, later, "ops", blank));
        assertRejected(
                "author of the interval hint" + rule,
                () -> new IntervalHint(Duration.ofDays(1), NOW, later, blank, "test"));
        assertRejected(
                "reason of the interval hint" + rule,
                () -> new IntervalHint(Duration.ofDays(1), NOW, later, "ops", blank));
    }

    @ParameterizedTest
    @ValueSource(strings = {"2026-03-01T12:00:00Z", "2026-03-01T11:59:59.999999999Z"})
    void rejectsOneShotThatExpiresBeforeItIsDue(Instant expiry) {
        assertRejected(
                "one-shot hint is for 2026-03-01T12:00:00Z and expires at %s: it must expire later than it is due"
                        .formatted(expiry),
                () -> new OneShotHint(NOW, NOW.minusSeconds(1), expiry, "ops", "test"));
        assertThat(new OneShotHint(NOW, NOW, NOW.plusNanos(1), "ops", "test").at())
                .isEqualTo(NOW);
    }

    @ParameterizedTest
    @ValueSource(strings = {"2026-03-01T12:00:00Z", "2026-03-01T11:59:59.999999999Z"})
    void rejectsHintThatExpiresBeforeItIsGiven(Instant expiry) {
        String rule = " was given at 2026-03-01T12:00:00Z and expires at %s: it must expire later".formatted(expiry);
        Instant earlier = NOW.minusSeconds(60);
        assertRejected("one-shot hint" + rule, () -> new OneShotHint(earlier, NOW, expiry, "ops", "test"));
        assertRejected("interval hint" + rule, () -> new IntervalHint(Duration.ofDays(1), NOW, expiry, "ops", "test"));
    }

    @Test
    void rejectsMinLongerThanMax() {
        Optional<Duration> minute = Optional.of(Duration.ofMinutes(1));
        Optional<Duration> more = Optional.of(Duration.ofMillis(60_001));
        assertRejected(
                "min interval PT1M0.001S is longer than max interval PT1M", () -> SCHEDULE.withClamps(more, minute));
        assertThat(SCHEDULE.withClamps(minute, minute).minInterval()).isEqualTo(minute);
        assertThat(SCHEDULE.withClamps(minute, more).maxInterval()).isEqualTo(more);
    }

    @Test
    void rejectsFailuresWithoutRun() {
        assertRejected("failures is -1: it must not be negative", () -> new RunHistory(NOW, -1, Optional.empty()));
        assertRejected(
                "failures is 1: it must be 0 as long as no run has ended",
                () -> new RunHistory(NOW, 1, Optional.empty()));
        RunHistory most = new RunHistory(NOW, Integer.MAX_VALUE, Optional.of(new LastRun(NOW, NOW)));
        assertThat(most.withFailure(NOW, NOW, Optional.empty()).failures()).isEqualTo(Integer.MAX_VALUE);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 51})
    void rejectsJitterOutOfRange(int percent) {
        assertRejected(
                "backoff jitterPercent is %d: it must be from 0 to 50".formatted(percent),
                () -> new RunPlanner(percent));
    }

    @Test
    void copiesHints() {
        List<Hint> hints = new ArrayList<>();
        Schedule schedule = SCHEDULE.withHints(hints);
        hints.add(new OneShotHint(NOW, NOW, NOW.plusSeconds(1), "ops", "test"));
        assertThat(schedule.hints()).isEmpty();
    }

    private static void assertRejected(String message, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class).hasMessage(message);
    }
}
