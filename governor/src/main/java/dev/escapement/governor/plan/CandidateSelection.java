package dev.escapement.governor.plan;

import dev.escapement.governor.plan.NextRunPlan.RejectedCandidate;
import dev.escapement.governor.plan.NextRunPlan.RejectedCandidate.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Finds the candidates of baseline and hints, and selects the earliest one. An interval hint replaces the baseline
 * until it expires.
 */
final class CandidateSelection {

    /** The delays after failures are the baseline's interval × 2, 4, 8, 16, 32. */
    private static final int MIN_BACKOFF_FACTOR = 2;

    private static final int MAX_BACKOFF_FACTOR = 32;

    private final FailureBackoff failureBackoff;
    private final RunHistory history;
    private final Instant now;
    private final Instant earliest;
    private final List<RunCandidate> eligible = new ArrayList<>();
    private final List<RejectedCandidate> rejected = new ArrayList<>();

    CandidateSelection(FailureBackoff failureBackoff) {
        this.failureBackoff = failureBackoff;
        this.history = failureBackoff.history();
        this.now = failureBackoff.now();
        this.earliest = now.plus(RunPlanner.MIN_DELAY);
    }

    /** @param baseline the first run of the baseline and its backoff after now, whether selected or not */
    record Selection(RunCandidate winner, List<RejectedCandidate> rejected, RunCandidate baseline) {}

    Selection select(List<Hint> hints) {
        RunCandidate baseline = baselineCandidate(now, earliest);
        hints.forEach(this::add);
        Optional<Instant> replacedUntil = hints.stream()
                .filter(hint -> hint instanceof Hint.IntervalHint && !hint.isExpired(now))
                .map(Hint::expiresAt)
                .max(Comparator.naturalOrder());
        if (replacedUntil.isEmpty()) {
            eligible.add(baseline);
        } else {
            rejected.add(new RejectedCandidate(baseline, Reason.REPLACED));
            if (eligible.stream().noneMatch(candidate -> candidate.source() == RunSource.HINT_INTERVAL)) {
                // Otherwise a slow hint would keep the endpoint from its baseline after the hint has expired.
                Instant until = replacedUntil.get();
                eligible.add(baselineCandidate(until.minusNanos(1), until));
            }
        }
        eligible.sort(RunCandidate.EARLIEST_FIRST);
        eligible.stream()
                .skip(1)
                .map(candidate -> new RejectedCandidate(candidate, Reason.NOT_THE_EARLIEST))
                .forEach(rejected::add);
        return new Selection(eligible.get(0), rejected, baseline);
    }

    private RunCandidate baselineCandidate(Instant after, Instant earliestRetry) {
        Baseline baseline = failureBackoff.schedule().baseline();
        if (baseline instanceof CronExpression cron) {
            Instant slot = firstSlotNotRun(cron::next, after);
            return RunCandidate.withoutHint(RunSource.BASELINE_CRON, slot, Optional.empty(), cron.toString());
        }
        FixedInterval interval = (FixedInterval) baseline;
        if (history.isFailing()) {
            Duration delay = failureBackoff.exponentialDelay(
                    interval.every().multipliedBy(MIN_BACKOFF_FACTOR),
                    interval.every().multipliedBy(MAX_BACKOFF_FACTOR));
            Instant at = failureBackoff.retryTime(delay, after, earliestRetry);
            int failures = history.failures();
            String basis = interval + ", " + failures + (failures == 1 ? " failure" : " failures") + " in a row";
            return RunCandidate.withoutHint(RunSource.BACKOFF, at, Optional.of(delay), basis);
        }
        Instant slot = firstSlotNotRun(time -> FixedInterval.nextSlot(history.origin(), interval.every(), time), after);
        return RunCandidate.withoutHint(RunSource.BASELINE_INTERVAL, slot, Optional.empty(), interval.toString());
    }

    private Instant firstSlotNotRun(UnaryOperator<Instant> next, Instant after) {
        Instant slot = next.apply(after);
        return history.hasRun(slot) ? next.apply(slot) : slot;
    }

    private void add(Hint hint) {
        if (hint instanceof Hint.OneShotHint oneShot) {
            Instant at = oneShot.due().isAfter(now) ? oneShot.due() : earliest;
            RunCandidate candidate = RunCandidate.forHint(hint, RunSource.HINT_ONE_SHOT, at, Optional.empty());
            add(candidate, history.hasFulfilled(hint) ? Optional.of(Reason.ANSWERED) : Optional.empty());
        } else if (hint instanceof Hint.IntervalHint interval) {
            RunCandidate candidate = history.isFailing() ? retryCandidate(interval) : gridCandidate(interval);
            add(candidate, hint.isExpired(candidate.at()) ? Optional.of(Reason.EXPIRES_FIRST) : Optional.empty());
        }
    }

    private RunCandidate gridCandidate(Hint.IntervalHint hint) {
        Instant at = FixedInterval.nextSlot(history.lastSlot(), hint.every(), now);
        return RunCandidate.forHint(hint, RunSource.HINT_INTERVAL, at, Optional.empty());
    }

    /** Counts from the end of the last run: on the grid, the next run could follow a long one immediately. */
    private RunCandidate retryCandidate(Hint.IntervalHint hint) {
        Duration delay = failureBackoff.delayAtLeast(hint.every());
        Instant at = failureBackoff.retryTime(delay, now, earliest);
        return RunCandidate.forHint(hint, RunSource.HINT_INTERVAL, at, Optional.of(delay));
    }

    /** @param other why a hint that has not expired is not taken, if so */
    private void add(RunCandidate candidate, Optional<Reason> other) {
        boolean expired = candidate.hint().filter(hint -> hint.isExpired(now)).isPresent();
        Optional<Reason> rejection = expired ? Optional.of(Reason.EXPIRED) : other;
        rejection.ifPresentOrElse(
                reason -> rejected.add(new RejectedCandidate(candidate, reason)), () -> eligible.add(candidate));
    }
}
