package dev.escapement.benchmarks.governor;

import dev.escapement.governor.plan.CronExpression;
import dev.escapement.governor.plan.FixedInterval;
import dev.escapement.governor.plan.Hint.IntervalHint;
import dev.escapement.governor.plan.Hint.OneShotHint;
import dev.escapement.governor.plan.RunHistory;
import dev.escapement.governor.plan.RunHistory.LastRun;
import dev.escapement.governor.plan.RunSource;
import dev.escapement.governor.plan.Schedule;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;

/** The input of a plan. */
public enum PlanningCase {
    /** The next slot. */
    HEALTHY_INTERVAL("healthy interval", RunSource.BASELINE_INTERVAL, 0, Duration.ofHours(1)),

    /** The third consecutive failure: the wait is about 8 min, and all plans are computed before its end. */
    FAILING_INTERVAL("failing interval", RunSource.BACKOFF, 3, Duration.ofMinutes(5)),

    /** In a zone with daylight saving time, at any time of a year. */
    CRON("cron", RunSource.BASELINE_CRON, 0, Duration.ofDays(365)),

    /** Three hints: one has expired, one adds a later run, and one changes the interval and wins. */
    HINTS("failing interval, three hints", RunSource.HINT_INTERVAL, 3, Duration.ofMinutes(5));

    /** The end of the last run; plans are computed after it. */
    static final Instant LAST_RUN_ENDED = Instant.parse("2026-11-15T12:00:02Z");

    private final String label;
    private final RunSource source;
    private final int failures;
    private final Duration span;

    PlanningCase(String label, RunSource source, int failures, Duration span) {
        this.label = label;
        this.source = source;
        this.failures = failures;
        this.span = span;
    }

    /** For the report. */
    public String label() {
        return label;
    }

    /** Returns the expected source of the plan. */
    RunSource source() {
        return source;
    }

    /** Returns the time range in which plans are computed. */
    Duration span() {
        return span;
    }

    RunHistory history() {
        return new RunHistory(
                LAST_RUN_ENDED.minusSeconds(2),
                failures,
                Optional.of(new LastRun(LAST_RUN_ENDED.minusSeconds(2), LAST_RUN_ENDED)));
    }

    Schedule schedule() {
        Schedule everyMinute = Schedule.of("endpoint-7", new FixedInterval(Duration.ofMinutes(1)));
        return switch (this) {
            case HEALTHY_INTERVAL, FAILING_INTERVAL -> everyMinute;
            case CRON -> Schedule.of("endpoint-7", CronExpression.of("30 2 * * 1-5", ZoneId.of("Europe/Berlin")));
            case HINTS ->
                everyMinute.withHints(List.of(
                        new IntervalHint(
                                Duration.ofMinutes(5),
                                hoursAfterLastRun(-1),
                                LAST_RUN_ENDED,
                                "anna",
                                "deployment in progress"),
                        new OneShotHint(
                                hoursAfterLastRun(1), hoursAfterLastRun(-1), hoursAfterLastRun(2), "ai", "check again"),
                        new IntervalHint(
                                Duration.ofSeconds(10),
                                hoursAfterLastRun(-1),
                                hoursAfterLastRun(1),
                                "ai",
                                "unstable")));
        };
    }

    private static Instant hoursAfterLastRun(int hours) {
        return LAST_RUN_ENDED.plus(Duration.ofHours(hours));
    }
}
