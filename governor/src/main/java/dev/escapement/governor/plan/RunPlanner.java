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
 */
public record RunPlanner(int jitterPercent) {

    /** The delay of an overdue run: the next run is never at or before now. */
    public static final Duration MIN_DELAY = Duration.ofMillis(1);

    private static final int DEFAULT_JITTER_PERCENT = 10;

    /** @throws IllegalArgumentException if the jitter is out of its bounds */
    public RunPlanner {
        jitterPercent = Backoff.builder()
                .jitterPercent(jitterPercent)
                .build()
                .settings()
                .jitterPercent();
    }

    /** Returns a planner with a jitter of ±10 %. */
    public static RunPlanner withDefaultJitter() {
        return new RunPlanner(DEFAULT_JITTER_PERCENT);
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

    private static PlannedTime planTime(RunCandidate winner, FailureBackoff failureBackoff) {
        return failureBackoff
                .schedule()
                .pausedUntil()
                .filter(until -> until.isAfter(failureBackoff.now()))
                .map(RunPlanner::planPause)
                .orElseGet(() -> applyClamps(winner, failureBackoff));
    }

    private static PlannedTime planPause(Instant until) {
        RunCandidate pause = RunCandidate.withoutHint(RunSource.PAUSE, until, Optional.empty(), "until then");
        return new PlannedTime(until, pause, Optional.empty());
    }

    /** Retry-After comes first: it is honoured as far as the clamps allow. */
    private static PlannedTime applyClamps(RunCandidate winner, FailureBackoff failureBackoff) {
        Schedule schedule = failureBackoff.schedule();
        Instant now = failureBackoff.now();
        Duration offset = winner.retryAfter().map(failureBackoff::clampOffset).orElse(Duration.ZERO);
        PlannedTime unclamped = new PlannedTime(winner.at(), winner, Optional.empty());
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
