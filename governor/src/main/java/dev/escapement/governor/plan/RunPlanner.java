package dev.escapement.governor.plan;

import dev.escapement.backoff.Backoff;
import dev.escapement.governor.plan.Rejection.Why;
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
    public static final Duration SOONEST = Duration.ofMillis(1);

    private static final int STANDARD_JITTER_PERCENT = 10;

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
    public static RunPlanner standard() {
        return new RunPlanner(STANDARD_JITTER_PERCENT);
    }

    /**
     * The next run.
     *
     * @param history with the outcome of the last run counted
     * @param now the next run is strictly after it
     */
    public Plan planNextRun(Schedule schedule, History history, Instant now) {
        Limits.instant("now", now);
        Comeback comeback = new Comeback(schedule, history, jitterPercent, now);
        BaselineCandidates baseline = new BaselineCandidates(schedule, history, comeback, now);
        Candidate baselineNow = baseline.next();
        Contest.Result result = new Contest(baseline, history, comeback, now).among(baselineNow, schedule.hints());

        Decision decision = decide(schedule, history, result.winner(), comeback, now);
        List<Rejection> rejected = new ArrayList<>(result.rejected());
        if (decision.source() == RunSource.PAUSE) {
            rejected.add(new Rejection(result.winner(), Why.PAUSED));
        }
        rejected.sort(Comparator.comparing(Rejection::candidate, Candidate.EARLIEST_FIRST));
        Decision withoutHints = decide(schedule, history, baselineNow, comeback, now);
        return new Plan(
                decision.at(),
                decision.chosen(),
                decision.clamp(),
                rejected,
                new Counterfactual(withoutHints.at(), withoutHints.source()));
    }

    private record Decision(Instant at, Candidate chosen, Optional<Clamp> clamp) {

        RunSource source() {
            return chosen.source();
        }

        Decision moved(Instant to, Clamp.Bound bound) {
            return new Decision(to, chosen, Optional.of(new Clamp(bound, at)));
        }
    }

    private static Decision decide(
            Schedule schedule, History history, Candidate winner, Comeback comeback, Instant now) {
        return schedule.pausedUntil()
                .filter(until -> until.isAfter(now))
                .map(RunPlanner::paused)
                .orElseGet(() -> clamped(schedule, history, winner, comeback, now));
    }

    private static Decision paused(Instant until) {
        Candidate pause = new Candidate(RunSource.PAUSE, until, Optional.empty(), Optional.empty(), "until then");
        return new Decision(until, pause, Optional.empty());
    }

    /** The wish of the other side comes first: it is honoured as far as the clamps of this side allow. */
    private static Decision clamped(
            Schedule schedule, History history, Candidate winner, Comeback comeback, Instant now) {
        Duration inside = winner.retryAfter().map(comeback::inside).orElse(Duration.ZERO);
        Decision free = new Decision(winner.at(), winner, Optional.empty());
        Decision polite = history.leftAloneUntil()
                .filter(free.at()::isBefore)
                .map(until -> free.moved(until.plus(inside), Clamp.Bound.RETRY_AFTER))
                .orElse(free);
        Decision notTooSoon = schedule.minInterval()
                .map(now::plus)
                .filter(polite.at()::isBefore)
                .map(earliest -> polite.moved(earliest.plus(inside), Clamp.Bound.MIN))
                .orElse(polite);
        return schedule.maxInterval()
                .map(now::plus)
                .filter(notTooSoon.at()::isAfter)
                .map(latest -> notTooSoon.moved(latest.minus(inside), Clamp.Bound.MAX))
                .orElse(notTooSoon);
    }
}
