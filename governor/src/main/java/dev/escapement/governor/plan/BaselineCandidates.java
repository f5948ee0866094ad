package dev.escapement.governor.plan;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** When the baseline would have its endpoint run next, backoff included, whatever the hints say. */
final class BaselineCandidates {

    /** Waits are the interval × 2, 4, 8, 16, 32, and no more. */
    private static final int FIRST_FACTOR = 2;

    private static final int LAST_FACTOR = 32;

    private final Schedule schedule;
    private final History history;
    private final Comeback comeback;
    private final Instant now;

    BaselineCandidates(Schedule schedule, History history, Comeback comeback, Instant now) {
        this.schedule = schedule;
        this.history = history;
        this.comeback = comeback;
        this.now = now;
    }

    /** The first time strictly after now. */
    Candidate next() {
        return strictlyAfter(now, now.plus(RunPlanner.SOONEST));
    }

    /** If nothing of the baseline may run before {@code from}; a beat that is exactly then may. */
    Candidate notBefore(Instant from) {
        return strictlyAfter(from.minusNanos(1), from);
    }

    private Candidate strictlyAfter(Instant after, Instant soonest) {
        if (schedule.baseline() instanceof Cron cron) {
            return candidate(RunSource.BASELINE_CRON, firstNotRun(cron::next, after), cron.toString());
        }
        Interval interval = (Interval) schedule.baseline();
        if (history.isFailing()) {
            Duration wait = comeback.doubling(
                    interval.every().multipliedBy(FIRST_FACTOR),
                    interval.every().multipliedBy(LAST_FACTOR));
            Instant at = comeback.after(wait, after, soonest);
            return new Candidate(RunSource.BACKOFF, at, Optional.of(wait), Optional.empty(), backoffBasis(interval));
        }
        Instant beat = firstNotRun(time -> Grid.next(history.origin(), interval.every(), time), after);
        return candidate(RunSource.BASELINE_INTERVAL, beat, interval.toString());
    }

    private Instant firstNotRun(UnaryOperator<Instant> next, Instant after) {
        Instant slot = next.apply(after);
        return history.hasRun(slot) ? next.apply(slot) : slot;
    }

    private String backoffBasis(Interval interval) {
        return "%s, %d %s in a row"
                .formatted(interval, history.failures(), history.failures() == 1 ? "failure" : "failures");
    }

    private static Candidate candidate(RunSource source, Instant at, String basis) {
        return new Candidate(source, at, Optional.empty(), Optional.empty(), basis);
    }
}
