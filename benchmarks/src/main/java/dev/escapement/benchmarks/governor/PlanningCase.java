package dev.escapement.benchmarks.governor;

import dev.escapement.governor.plan.CronExpression;
import dev.escapement.governor.plan.FixedInterval;
import dev.escapement.governor.plan.IntervalHint;
import dev.escapement.governor.plan.LastRun;
import dev.escapement.governor.plan.OneShotHint;
import dev.escapement.governor.plan.RunHistory;
import dev.escapement.governor.plan.RunSource;
import dev.escapement.governor.plan.Schedule;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;

/** What a plan can be made from. */
public enum PlanningCase {
    /** The next beat. */
    HEALTHY_INTERVAL("healthy interval", RunSource.BASELINE_INTERVAL, 0, Duration.ofHours(1)),

    /** The third failure in a row: the wait is about 8 min, and no plan is made after it. */
    FAILING_INTERVAL("failing interval", RunSource.BACKOFF, 3, Duration.ofMinutes(5)),

    /** In a zone that changes its clocks, at any time of a year. */
    CRON("cron", RunSource.BASELINE_CRON, 0, Duration.ofDays(365)),

    /** Of the three one has expired, one asks for a run later on, and one for another interval, which wins. */
    HINTS("failing interval, three hints", RunSource.HINT_INTERVAL, 3, Duration.ofMinutes(5));

    /** The end of the last run, from which on plans are made. */
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

    /** What decides. */
    RunSource source() {
        return source;
    }

    /** For how long plans are made. */
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
                                "looks unwell")));
        };
    }

    private static Instant hoursAfterLastRun(int hours) {
        return LAST_RUN_ENDED.plus(Duration.ofHours(hours));
    }
}
