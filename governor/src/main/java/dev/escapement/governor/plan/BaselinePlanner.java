package dev.escapement.governor.plan;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Plans the next run by the baseline and its backoff, without hints. */
record BaselinePlanner(Schedule schedule, RunHistory history, FailureBackoff failureBackoff, Instant now) {

    /** The delays are the interval × 2, 4, 8, 16, 32. */
    private static final int MIN_BACKOFF_FACTOR = 2;

    private static final int MAX_BACKOFF_FACTOR = 32;

    /** Returns the first run strictly after now. */
    RunCandidate next() {
        return firstAfter(now, now.plus(RunPlanner.MIN_DELAY));
    }

    /** Returns the first run at or after {@code from}. */
    RunCandidate nextFrom(Instant from) {
        return firstAfter(from.minusNanos(1), from);
    }

    private RunCandidate firstAfter(Instant after, Instant earliest) {
        if (schedule.baseline() instanceof CronExpression cron) {
            return candidate(RunSource.BASELINE_CRON, firstSlotNotRun(cron::next, after), cron.toString());
        }
        FixedInterval interval = (FixedInterval) schedule.baseline();
        if (history.isFailing()) {
            Duration delay = failureBackoff.exponentialDelay(
                    interval.every().multipliedBy(MIN_BACKOFF_FACTOR),
                    interval.every().multipliedBy(MAX_BACKOFF_FACTOR));
            Instant at = failureBackoff.retryTime(delay, after, earliest);
            int failures = history.failures();
            String basis = interval + ", " + failures + (failures == 1 ? " failure" : " failures") + " in a row";
            return new RunCandidate(RunSource.BACKOFF, at, Optional.of(delay), Optional.empty(), basis);
        }
        Instant slot = firstSlotNotRun(time -> FixedInterval.nextSlot(history.origin(), interval.every(), time), after);
        return candidate(RunSource.BASELINE_INTERVAL, slot, interval.toString());
    }

    private Instant firstSlotNotRun(UnaryOperator<Instant> next, Instant after) {
        Instant slot = next.apply(after);
        return history.hasRun(slot) ? next.apply(slot) : slot;
    }

    private static RunCandidate candidate(RunSource source, Instant at, String basis) {
        return new RunCandidate(source, at, Optional.empty(), Optional.empty(), basis);
    }
}
