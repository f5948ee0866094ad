package dev.escapement.governor.plan;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** When the baseline would have its endpoint run next, backoff included, whatever the hints say. */
final class BaselinePlanner {

    /** Waits are the interval × 2, 4, 8, 16, 32, and no more. */
    private static final int MIN_BACKOFF_FACTOR = 2;

    private static final int MAX_BACKOFF_FACTOR = 32;

    private final Schedule schedule;
    private final RunHistory history;
    private final FailureBackoff failureBackoff;
    private final Instant now;

    BaselinePlanner(Schedule schedule, RunHistory history, FailureBackoff comeback, Instant now) {
        this.schedule = schedule;
        this.history = history;
        this.failureBackoff = comeback;
        this.now = now;
    }

    /** The first time strictly after now. */
    RunCandidate next() {
        return firstAfter(now, now.plus(RunPlanner.MIN_DELAY));
    }

    /** If nothing of the baseline may run before {@code from}; a beat that is exactly then may. */
    RunCandidate nextFrom(Instant from) {
        return firstAfter(from.minusNanos(1), from);
    }

    private RunCandidate firstAfter(Instant after, Instant soonest) {
        if (schedule.baseline() instanceof CronExpression cron) {
            return candidate(RunSource.BASELINE_CRON, firstSlotNotRun(cron::next, after), cron.toString());
        }
        FixedInterval interval = (FixedInterval) schedule.baseline();
        if (history.isFailing()) {
            Duration wait = failureBackoff.exponentialDelay(
                    interval.every().multipliedBy(MIN_BACKOFF_FACTOR),
                    interval.every().multipliedBy(MAX_BACKOFF_FACTOR));
            Instant at = failureBackoff.retryTime(wait, after, soonest);
            return new RunCandidate(
                    RunSource.BACKOFF, at, Optional.of(wait), Optional.empty(), describeBackoff(interval));
        }
        Instant beat = firstSlotNotRun(time -> IntervalGrid.next(history.origin(), interval.every(), time), after);
        return candidate(RunSource.BASELINE_INTERVAL, beat, interval.toString());
    }

    private Instant firstSlotNotRun(UnaryOperator<Instant> next, Instant after) {
        Instant slot = next.apply(after);
        return history.hasRun(slot) ? next.apply(slot) : slot;
    }

    private String describeBackoff(FixedInterval interval) {
        return "%s, %d %s in a row"
                .formatted(interval, history.failures(), history.failures() == 1 ? "failure" : "failures");
    }

    private static RunCandidate candidate(RunSource source, Instant at, String basis) {
        return new RunCandidate(source, at, Optional.empty(), Optional.empty(), basis);
    }
}
