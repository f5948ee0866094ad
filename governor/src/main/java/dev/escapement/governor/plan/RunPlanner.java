package dev.escapement.governor.plan;

import dev.escapement.backoff.Backoff;
import dev.escapement.governor.plan.RejectedCandidate.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Plans the next run of an endpoint: first everything that could be the next run competes, then the clamps move what
 * was chosen, and a pause beats it all. A pure function of its arguments; immutable and safe to share.
 *
 * <p>After {@code k} failures in a row, the wait from the end of the last attempt is the baseline's interval ×
 * {@code 2^min(k, 5)}, with jitter that follows from the schedule's key and that no clamp takes away. A healthy
 * endpoint keeps the beat of its grid without jitter, and cron keeps its schedule in any case.
 */
public final class RunPlanner {

    /** What should have happened already happens this long from now: the next run is never at or before now. */
    public static final Duration MIN_DELAY = Duration.ofMillis(1);

    private static final int DEFAULT_JITTER_PERCENT = 10;

    private final int jitterPercent;

    /**
     * A planner that spreads failing endpoints.
     *
     * @param jitterPercent 0 to 50; with 0, endpoints that failed together come back together: for tests only
     */
    public RunPlanner(int jitterPercent) {
        this.jitterPercent = Backoff.builder()
                .jitterPercent(jitterPercent)
                .build()
                .settings()
                .jitterPercent();
    }

    /** Spreads failing endpoints by ±10 %. */
    public static RunPlanner withDefaultJitter() {
        return new RunPlanner(DEFAULT_JITTER_PERCENT);
    }

    /**
     * The next run.
     *
     * @param history with the outcome of the last run counted
     * @param now the next run is strictly after it
     */
    public NextRunPlan planNextRun(Schedule schedule, RunHistory history, Instant now) {
        ScheduleLimits.checkInstant("now", now);
        FailureBackoff comeback = new FailureBackoff(schedule, history, jitterPercent, now);
        BaselinePlanner baseline = new BaselinePlanner(schedule, history, comeback, now);
        RunCandidate baselineNow = baseline.next();
        CandidateSelection.Selection result =
                new CandidateSelection(baseline, history, comeback, now).select(baselineNow, schedule.hints());

        PlannedTime decision = planTime(schedule, history, result.winner(), comeback, now);
        List<RejectedCandidate> rejected = new ArrayList<>(result.rejected());
        if (decision.source() == RunSource.PAUSE) {
            rejected.add(new RejectedCandidate(result.winner(), Reason.PAUSED));
        }
        rejected.sort(Comparator.comparing(RejectedCandidate::candidate, RunCandidate.EARLIEST_FIRST));
        PlannedTime withoutHints = planTime(schedule, history, baselineNow, comeback, now);
        return new NextRunPlan(
                decision.at(),
                decision.chosen(),
                decision.clamp(),
                rejected,
                new PlanWithoutHints(withoutHints.at(), withoutHints.source()));
    }

    private record PlannedTime(Instant at, RunCandidate chosen, Optional<Clamp> clamp) {

        RunSource source() {
            return chosen.source();
        }

        PlannedTime movedTo(Instant to, Clamp.Bound bound) {
            return new PlannedTime(to, chosen, Optional.of(new Clamp(bound, at)));
        }
    }

    private static PlannedTime planTime(
            Schedule schedule, RunHistory history, RunCandidate winner, FailureBackoff comeback, Instant now) {
        return schedule.pausedUntil()
                .filter(until -> until.isAfter(now))
                .map(RunPlanner::planPause)
                .orElseGet(() -> applyClamps(schedule, history, winner, comeback, now));
    }

    private static PlannedTime planPause(Instant until) {
        RunCandidate pause = new RunCandidate(RunSource.PAUSE, until, Optional.empty(), Optional.empty(), "until then");
        return new PlannedTime(until, pause, Optional.empty());
    }

    /** The wish of the other side comes first: it is honoured as far as the clamps of this side allow. */
    private static PlannedTime applyClamps(
            Schedule schedule, RunHistory history, RunCandidate winner, FailureBackoff comeback, Instant now) {
        Duration inside = winner.retryAfter().map(comeback::clampOffset).orElse(Duration.ZERO);
        PlannedTime free = new PlannedTime(winner.at(), winner, Optional.empty());
        PlannedTime polite = history.retryNotBefore()
                .filter(free.at()::isBefore)
                .map(until -> free.movedTo(until.plus(inside), Clamp.Bound.RETRY_AFTER))
                .orElse(free);
        PlannedTime notTooSoon = schedule.minInterval()
                .map(now::plus)
                .filter(polite.at()::isBefore)
                .map(earliest -> polite.movedTo(earliest.plus(inside), Clamp.Bound.MIN))
                .orElse(polite);
        return schedule.maxInterval()
                .map(now::plus)
                .filter(notTooSoon.at()::isAfter)
                .map(latest -> notTooSoon.movedTo(latest.minus(inside), Clamp.Bound.MAX))
                .orElse(notTooSoon);
    }
}
