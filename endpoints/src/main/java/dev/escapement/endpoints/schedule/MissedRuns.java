package dev.escapement.endpoints.schedule;

import dev.escapement.backoff.DurationText;
import dev.escapement.endpoints.model.EndpointDefinition;
import dev.escapement.endpoints.model.ScheduledEndpoint.PlannedRun;
import dev.escapement.governor.plan.CronExpression;
import dev.escapement.governor.plan.FixedInterval;
import dev.escapement.governor.plan.RunHistory;
import dev.escapement.governor.plan.RunSource;
import java.time.Duration;
import java.time.Instant;

/**
 * Slots of the baseline that were skipped because the run before them was late or slow. They are not made up for, only
 * recorded with the run before them.
 *
 * @param count number of slots; for cron, 1000 means 1000 or more
 * @param reason why; empty if none were missed
 */
public record MissedRuns(long count, String reason) {

    public static final MissedRuns NONE = new MissedRuns(0, "");

    /** Limits the counting of cron slots, which costs time for each. */
    private static final int MAX_COUNTED = 1_000;

    /**
     * Counts the slots missed between a run's slot and now. Slots that passed before a baseline run started always
     * count; later ones only if the next run follows the baseline too, because backoff, pauses and hints skip slots on
     * purpose.
     *
     * @param source source of the run
     * @param history history including the run
     * @param next plan of the next run
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
                ? countSlots(cron, slot, end)
                : countSlots((FixedInterval) definition.baseline(), history.origin(), slot, end);
        // Negative if the clock was set back to before the slot.
        return count <= 0 ? NONE : new MissedRuns(count, explain(slot, startedAt, end));
    }

    private static long countSlots(FixedInterval interval, Instant origin, Instant slot, Instant now) {
        return slotIndex(interval, origin, now) - slotIndex(interval, origin, slot);
    }

    private static long slotIndex(FixedInterval interval, Instant origin, Instant time) {
        return Math.floorDiv(
                Duration.between(origin, time).toMillis(), interval.every().toMillis());
    }

    private static long countSlots(CronExpression cron, Instant slot, Instant now) {
        long count = 0;
        for (Instant next = cron.next(slot); !next.isAfter(now) && count < MAX_COUNTED; next = cron.next(next)) {
            count++;
        }
        return count;
    }

    private static String explain(Instant slot, Instant startedAt, Instant now) {
        Duration lateness = Duration.between(slot, startedAt);
        Duration duration = Duration.between(startedAt, now);
        boolean late = lateness.compareTo(duration) > 0;
        String text = DurationText.format(Duration.ofMillis((late ? lateness : duration).toMillis()));
        return late
                ? "the previous run started %s late: no worker was free".formatted(text)
                : "the previous run took " + text;
    }
}
