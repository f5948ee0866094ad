package dev.escapement.governor.plan;

import dev.escapement.backoff.Backoff;
import dev.escapement.governor.plan.NextRunPlan.Clamp;
import dev.escapement.governor.plan.NextRunPlan.PlanWithoutHints;
import dev.escapement.governor.plan.NextRunPlan.RejectedCandidate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Plans the next run of an endpoint: selects a candidate, then applies the clamps; a pause overrides both. A pure
 * function of its arguments. Immutable and thread-safe.
 *
 * <p>After {@code k} failures in a row, the delay from the end of the last run is the baseline's interval ×
 * {@code 2^min(k, 5)}, with jitter by the schedule's key that no clamp removes. A healthy endpoint runs on its grid
 * without jitter, and cron keeps its schedule in any case.
 *
 * @param jitterPercent of failing endpoints, 0 to 50; with 0 they retry in lockstep: for tests only
 * @param minRest the shortest time from the end of a run to the next one of an interval, but at most a tenth of the
 *     interval; zero or more. Without it a run that ends just before a slot would be followed by another at once
 */
public record RunPlanner(int jitterPercent, Duration minRest) {

    /** The delay of an overdue run: the next run is never at or before now. */
    public static final Duration MIN_DELAY = Duration.ofMillis(1);

    public static final Duration DEFAULT_MIN_REST = Duration.ofSeconds(1);

    private static final int DEFAULT_JITTER_PERCENT = 10;

    /** Of the interval; a longer rest would keep a slow endpoint from its grid. */
    private static final int MAX_REST_DIVISOR = 10;

    /** @throws IllegalArgumentException if the jitter is out of its bounds or the rest is negative */
    public RunPlanner {
        if (minRest.isNegative()) {
            throw new IllegalArgumentException("min rest is %s: it must not be negative".formatted(minRest));
        }
        jitterPercent = Backoff.builder()
                .jitterPercent(jitterPercent)
                .build()
                .settings()
                .jitterPercent();
    }

    public RunPlanner(int jitterPercent) {
        this(jitterPercent, DEFAULT_MIN_REST);
    }

    /** Returns a planner with a jitter of ±10 % and a smallest rest of a second. */
    public static RunPlanner withDefaultJitter() {
        return new RunPlanner(DEFAULT_JITTER_PERCENT);
    }

    public RunPlanner withMinRest(Duration rest) {
        return new RunPlanner(jitterPercent, rest);
    }

    /**
     * Plans the next run, strictly after {@code now}.
     *
     * @param history includes the last run
     */
    public NextRunPlan planNextRun(Schedule schedule, RunHistory history, Instant now) {
        ScheduleLimits.checkInstant("now", now);
        FailureBackoff failureBackoff = new FailureBackoff(schedule, history, jitterPercent, now);
        CandidateSelection.Selection result = new CandidateSelection(failureBackoff).select(schedule.hints());

        PlannedTime decision = planTime(result.winner(), failureBackoff);
        List<RejectedCandidate> rejected = new ArrayList<>(result.rejected());
        if (decision.source() == RunSource.PAUSE) {
            rejected.add(new RejectedCandidate(result.winner(), RejectedCandidate.Reason.PAUSED));
        }
        rejected.sort(Comparator.comparing(RejectedCandidate::candidate, RunCandidate.EARLIEST_FIRST));
        PlannedTime plain = planTime(result.baseline(), failureBackoff);
        PlanWithoutHints withoutHints = new PlanWithoutHints(plain.at(), plain.source());
        return new NextRunPlan(decision.at(), decision.chosen(), decision.clamp(), rejected, withoutHints);
    }

    private record PlannedTime(Instant at, RunCandidate chosen, Optional<Clamp> clamp) {

        RunSource source() {
            return chosen.source();
        }

        PlannedTime movedTo(Instant to, Clamp.Bound bound) {
            return new PlannedTime(to, chosen, Optional.of(new Clamp(bound, at)));
        }
    }

    private PlannedTime planTime(RunCandidate winner, FailureBackoff failureBackoff) {
        return failureBackoff
                .schedule()
                .pausedUntil()
                .filter(until -> until.isAfter(failureBackoff.now()))
                .map(RunPlanner::planPause)
                .orElseGet(() -> applyClamps(applyRest(winner, failureBackoff), failureBackoff));
    }

    /** Only slots of a grid can follow a run immediately: a retry counts from the end of the run. */
    private PlannedTime applyRest(RunCandidate winner, FailureBackoff failureBackoff) {
        PlannedTime onGrid = new PlannedTime(winner.at(), winner, Optional.empty());
        Optional<Duration> interval =
                winner.retryAfter().isPresent() ? Optional.empty() : intervalOf(winner, failureBackoff.schedule());
        return failureBackoff
                .history()
                .lastEnd(failureBackoff.now())
                .flatMap(ended -> interval.map(every -> ended.plus(restAfter(every))))
                .filter(onGrid.at()::isBefore)
                .map(rested -> onGrid.movedTo(rested, Clamp.Bound.REST))
                .orElse(onGrid);
    }

    private Duration restAfter(Duration interval) {
        Duration longest = interval.dividedBy(MAX_REST_DIVISOR);
        return minRest.compareTo(longest) < 0 ? minRest : longest;
    }

    private static Optional<Duration> intervalOf(RunCandidate candidate, Schedule schedule) {
        if (candidate.hint().orElse(null) instanceof Hint.IntervalHint hint) {
            return Optional.of(hint.every());
        }
        return candidate.source() == RunSource.BASELINE_INTERVAL
                        && schedule.baseline() instanceof FixedInterval baseline
                ? Optional.of(baseline.every())
                : Optional.empty();
    }

    private static PlannedTime planPause(Instant until) {
        RunCandidate pause = RunCandidate.withoutHint(RunSource.PAUSE, until, Optional.empty(), "until then");
        return new PlannedTime(until, pause, Optional.empty());
    }

    /** Retry-After comes first: it is honoured as far as the clamps allow. */
    private static PlannedTime applyClamps(PlannedTime unclamped, FailureBackoff failureBackoff) {
        Schedule schedule = failureBackoff.schedule();
        Instant now = failureBackoff.now();
        Duration offset =
                unclamped.chosen().retryAfter().map(failureBackoff::clampOffset).orElse(Duration.ZERO);
        PlannedTime afterRetry = failureBackoff
                .history()
                .retryNotBefore()
                .filter(unclamped.at()::isBefore)
                .map(until -> unclamped.movedTo(until.plus(offset), Clamp.Bound.RETRY_AFTER))
                .orElse(unclamped);
        PlannedTime afterMin = schedule.minInterval()
                .map(now::plus)
                .filter(afterRetry.at()::isBefore)
                .map(earliest -> afterRetry.movedTo(earliest.plus(offset), Clamp.Bound.MIN))
                .orElse(afterRetry);
        return schedule.maxInterval()
                .map(now::plus)
                .filter(afterMin.at()::isAfter)
                .map(latest -> afterMin.movedTo(latest.minus(offset), Clamp.Bound.MAX))
                .orElse(afterMin);
    }
}
