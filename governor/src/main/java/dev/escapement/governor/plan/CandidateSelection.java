package dev.escapement.governor.plan;

import dev.escapement.governor.plan.RejectedCandidate.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Selects the next run from the candidates of baseline and hints: the earliest one. An interval hint replaces the
 * baseline until it expires.
 */
final class CandidateSelection {

    private final BaselinePlanner baseline;
    private final RunHistory history;
    private final FailureBackoff failureBackoff;
    private final Instant now;
    private final List<RunCandidate> eligible = new ArrayList<>();
    private final List<RejectedCandidate> rejected = new ArrayList<>();

    CandidateSelection(BaselinePlanner baseline) {
        this.baseline = baseline;
        this.history = baseline.history();
        this.failureBackoff = baseline.failureBackoff();
        this.now = baseline.now();
    }

    record Selection(RunCandidate winner, List<RejectedCandidate> rejected) {}

    Selection select(RunCandidate baselineNow, List<Hint> hints) {
        hints.forEach(this::add);
        Optional<Instant> replacedUntil = hints.stream()
                .filter(hint -> hint instanceof IntervalHint && !hint.isExpired(now))
                .map(Hint::expiresAt)
                .max(Comparator.naturalOrder());
        if (replacedUntil.isEmpty()) {
            eligible.add(baselineNow);
        } else {
            rejected.add(new RejectedCandidate(baselineNow, Reason.REPLACED));
            if (eligible.stream().noneMatch(candidate -> candidate.source() == RunSource.HINT_INTERVAL)) {
                // Otherwise a slow hint would keep the endpoint from its baseline after the hint has expired.
                eligible.add(baseline.nextFrom(replacedUntil.get()));
            }
        }
        return selectEarliest();
    }

    private void add(Hint hint) {
        if (hint instanceof OneShotHint oneShot) {
            Instant at = oneShot.due().isAfter(now) ? oneShot.due() : earliestTime();
            RunCandidate candidate = RunCandidate.forHint(hint, RunSource.HINT_ONE_SHOT, at, Optional.empty());
            add(candidate, history.hasFulfilled(hint) ? Optional.of(Reason.ANSWERED) : Optional.empty());
        } else if (hint instanceof IntervalHint interval) {
            RunCandidate candidate = history.isFailing() ? retryCandidate(interval) : gridCandidate(interval);
            add(candidate, hint.isExpired(candidate.at()) ? Optional.of(Reason.EXPIRES_FIRST) : Optional.empty());
        }
    }

    private RunCandidate gridCandidate(IntervalHint hint) {
        Instant at = FixedInterval.nextSlot(history.lastSlot(), hint.every(), now);
        return RunCandidate.forHint(hint, RunSource.HINT_INTERVAL, at, Optional.empty());
    }

    /** Counts from the end of the last run: on the grid, the next run could follow a long one immediately. */
    private RunCandidate retryCandidate(IntervalHint hint) {
        Duration delay = failureBackoff.delayAtLeast(hint.every());
        Instant at = failureBackoff.retryTime(delay, now, earliestTime());
        return RunCandidate.forHint(hint, RunSource.HINT_INTERVAL, at, Optional.of(delay));
    }

    private Instant earliestTime() {
        return now.plus(RunPlanner.MIN_DELAY);
    }

    /** @param other why a hint that has not expired is not taken, if so */
    private void add(RunCandidate candidate, Optional<Reason> other) {
        boolean expired = candidate.hint().filter(hint -> hint.isExpired(now)).isPresent();
        Optional<Reason> rejection = expired ? Optional.of(Reason.EXPIRED) : other;
        rejection.ifPresentOrElse(
                reason -> rejected.add(new RejectedCandidate(candidate, reason)), () -> eligible.add(candidate));
    }

    private Selection selectEarliest() {
        eligible.sort(RunCandidate.EARLIEST_FIRST);
        eligible.stream()
                .skip(1)
                .map(candidate -> new RejectedCandidate(candidate, Reason.NOT_THE_EARLIEST))
                .forEach(rejected::add);
        return new Selection(eligible.get(0), rejected);
    }
}
