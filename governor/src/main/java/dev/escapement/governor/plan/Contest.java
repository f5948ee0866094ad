package dev.escapement.governor.plan;

import dev.escapement.governor.plan.Rejection.Why;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Baseline and hints compete for the next run. An interval hint keeps the baseline out as long as it lasts; of what is
 * left, the earliest is taken.
 */
final class Contest {

    private final BaselineCandidates baseline;
    private final History history;
    private final Comeback comeback;
    private final Instant now;
    private final List<Candidate> standing = new ArrayList<>();
    private final List<Rejection> rejected = new ArrayList<>();

    Contest(BaselineCandidates baseline, History history, Comeback comeback, Instant now) {
        this.baseline = baseline;
        this.history = history;
        this.comeback = comeback;
        this.now = now;
    }

    /** Who won, and the others. */
    record Result(Candidate winner, List<Rejection> rejected) {}

    Result among(Candidate baselineNow, List<Hint> hints) {
        hints.forEach(this::enter);
        Optional<Instant> replacedUntil = hints.stream()
                .filter(hint -> hint instanceof IntervalHint && !hint.isExpired(now))
                .map(Hint::expiresAt)
                .max(Comparator.naturalOrder());
        if (replacedUntil.isEmpty()) {
            standing.add(baselineNow);
        } else {
            rejected.add(new Rejection(baselineNow, Why.REPLACED));
            if (standing.stream().noneMatch(candidate -> candidate.source() == RunSource.HINT_INTERVAL)) {
                // Else a slow hint that is about to expire would keep the endpoint from its baseline long after that.
                standing.add(baseline.notBefore(replacedUntil.get()));
            }
        }
        return settled();
    }

    private void enter(Hint hint) {
        if (hint instanceof OneShotHint oneShot) {
            Instant at = oneShot.due().isAfter(now) ? oneShot.due() : soonest();
            enter(Candidate.of(hint, RunSource.HINT_ONE_SHOT, at, Optional.empty()), oneShotFlaw(oneShot));
        } else if (hint instanceof IntervalHint interval) {
            Candidate candidate = history.isFailing() ? retry(interval) : beat(interval);
            enter(candidate, intervalFlaw(interval, candidate.at()));
        }
    }

    private Candidate beat(IntervalHint hint) {
        Instant at = Grid.next(history.lastSlot(), hint.every(), now);
        return Candidate.of(hint, RunSource.HINT_INTERVAL, at, Optional.empty());
    }

    /** On the grid, an attempt that took almost the whole interval would be followed by the next one at once. */
    private Candidate retry(IntervalHint hint) {
        Duration wait = comeback.atLeast(hint.every());
        Instant at = comeback.after(wait, now, soonest());
        return Candidate.of(hint, RunSource.HINT_INTERVAL, at, Optional.of(wait));
    }

    private Instant soonest() {
        return now.plus(RunPlanner.SOONEST);
    }

    private void enter(Candidate candidate, Optional<Why> flaw) {
        flaw.ifPresentOrElse(why -> rejected.add(new Rejection(candidate, why)), () -> standing.add(candidate));
    }

    private Optional<Why> oneShotFlaw(OneShotHint hint) {
        if (hint.isExpired(now)) {
            return Optional.of(Why.EXPIRED);
        }
        return history.hasAnswered(hint) ? Optional.of(Why.ANSWERED) : Optional.empty();
    }

    private Optional<Why> intervalFlaw(IntervalHint hint, Instant at) {
        if (hint.isExpired(now)) {
            return Optional.of(Why.EXPIRED);
        }
        return hint.isExpired(at) ? Optional.of(Why.EXPIRES_FIRST) : Optional.empty();
    }

    private Result settled() {
        standing.sort(Candidate.EARLIEST_FIRST);
        standing.stream()
                .skip(1)
                .map(candidate -> new Rejection(candidate, Why.NOT_THE_EARLIEST))
                .forEach(rejected::add);
        return new Result(standing.get(0), rejected);
    }
}
