package dev.escapement.endpoints.schedule;

import dev.escapement.backoff.DurationText;
import dev.escapement.endpoints.model.EndpointDefinition;
import dev.escapement.endpoints.model.PlannedRun;
import dev.escapement.governor.plan.CronExpression;
import dev.escapement.governor.plan.FixedInterval;
import dev.escapement.governor.plan.RunHistory;
import dev.escapement.governor.plan.RunSource;
import java.time.Duration;
import java.time.Instant;

/**
 * Beats of the baseline that came and went without a run of their own, because the run before was late or took long.
 * They are not made up for; that they were missed is written down with the run before them.
 *
 * @param count how many; of a cron, a thousand means that many or more
 * @param reason why; empty if there were none
 */
public record MissedRuns(long count, String reason) {

    /** None. */
    public static final MissedRuns NONE = new MissedRuns(0, "");

    /** Beats of a cron are counted one by one, and nobody needs to know more exactly how many a week of minutes has. */
    private static final int MAX_COUNTED = 1_000;

    /**
     * Those between a run and now. What passed before a beat was run was missed, whatever comes then; what passed after
     * that only if the beat goes on: backoff, pause and hints are somebody's decision, not a miss.
     *
     * @param source what decided the time of the run
     * @param history with the run counted
     * @param next what comes now
     */
    public static MissedRuns countAfter(
            Instant slot,
            String source,
            Instant startedAt,
            EndpointDefinition definition,
            RunHistory history,
            PlannedRun next,
            Instant now) {
        if (isBaseline(next.source())) {
            return countBetween(slot, startedAt, definition, history, now);
        }
        return isBaseline(source) ? countBetween(slot, startedAt, definition, history, startedAt) : NONE;
    }

    private static boolean isBaseline(String source) {
        return source.equals(RunSource.BASELINE_INTERVAL.name()) || source.equals(RunSource.BASELINE_CRON.name());
    }

    private static MissedRuns countBetween(
            Instant slot, Instant startedAt, EndpointDefinition definition, RunHistory history, Instant end) {
        long count = definition.baseline() instanceof CronExpression cron
                ? countBeats(cron, slot, end)
                : countBeats((FixedInterval) definition.baseline(), history.origin(), slot, end);
        // A clock that was set back is before the slot.
        return count <= 0 ? NONE : new MissedRuns(count, reason(slot, startedAt, end));
    }

    private static long countBeats(FixedInterval interval, Instant origin, Instant slot, Instant now) {
        return beatIndex(interval, origin, now) - beatIndex(interval, origin, slot);
    }

    private static long beatIndex(FixedInterval interval, Instant origin, Instant time) {
        return Math.floorDiv(
                Duration.between(origin, time).toMillis(), interval.every().toMillis());
    }

    private static long countBeats(CronExpression cron, Instant slot, Instant now) {
        long count = 0;
        for (Instant beat = cron.next(slot); !beat.isAfter(now) && count < MAX_COUNTED; beat = cron.next(beat)) {
            count++;
        }
        return count;
    }

    private static String reason(Instant slot, Instant startedAt, Instant now) {
        Duration late = Duration.between(slot, startedAt);
        Duration took = Duration.between(startedAt, now);
        return late.compareTo(took) > 0
                ? "the run before them started %s late: nobody could run it earlier".formatted(formatDuration(late))
                : "the run before them took %s".formatted(formatDuration(took));
    }

    private static String formatDuration(Duration duration) {
        return DurationText.format(Duration.ofMillis(duration.toMillis()));
    }
}
