package dev.escapement.governor.plan;

import dev.escapement.backoff.Backoff;
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
    private final int jitterPercent;

    BaselineCandidates(Schedule schedule, History history, int jitterPercent) {
        this.schedule = schedule;
        this.history = history;
        this.jitterPercent = jitterPercent;
    }

    /** As of {@code now}: the first time strictly after it. */
    Candidate after(Instant now) {
        return strictlyAfter(now, now.plus(RunPlanner.SOONEST), now);
    }

    /** As of {@code now}, if nothing of the baseline may run before {@code from}; a beat that is exactly then may. */
    Candidate notBefore(Instant from, Instant now) {
        return strictlyAfter(from.minusNanos(1), from, now);
    }

    private Candidate strictlyAfter(Instant after, Instant soonest, Instant now) {
        if (schedule.baseline() instanceof Cron cron) {
            return candidate(RunSource.BASELINE_CRON, firstNotRun(cron::next, after), cron.toString());
        }
        Interval interval = (Interval) schedule.baseline();
        if (history.isFailing()) {
            Instant at = backedOff(interval.every(), now);
            return candidate(RunSource.BACKOFF, at.isAfter(after) ? at : soonest, backoffBasis(interval));
        }
        Instant beat = firstNotRun(time -> Grid.next(history.origin(), interval.every(), time), after);
        return candidate(RunSource.BASELINE_INTERVAL, beat, interval.toString());
    }

    private Instant firstNotRun(UnaryOperator<Instant> next, Instant after) {
        Instant slot = next.apply(after);
        return history.hasRun(slot) ? next.apply(slot) : slot;
    }

    private Instant backedOff(Duration every, Instant now) {
        Backoff backoff = Backoff.builder()
                .base(every.multipliedBy(FIRST_FACTOR))
                .max(every.multipliedBy(LAST_FACTOR))
                .multiplier(2)
                .jitterPercent(jitterPercent)
                .build();
        Instant ended = history.lastRun().orElseThrow().endedAt();
        // If the clock was set back meanwhile, the wait is its own length, not that and the step of the clock.
        Instant since = ended.isAfter(now) ? now : ended;
        return since.plus(backoff.delay(history.failures(), schedule.key()));
    }

    private String backoffBasis(Interval interval) {
        return "%s, %d %s in a row"
                .formatted(interval, history.failures(), history.failures() == 1 ? "failure" : "failures");
    }

    private static Candidate candidate(RunSource source, Instant at, String basis) {
        return new Candidate(source, at, Optional.empty(), basis);
    }
}
