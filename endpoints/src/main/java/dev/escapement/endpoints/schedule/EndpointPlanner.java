package dev.escapement.endpoints.schedule;

import dev.escapement.endpoints.model.EndpointDefinition;
import dev.escapement.endpoints.model.EndpointOverrides;
import dev.escapement.endpoints.model.EndpointPause;
import dev.escapement.endpoints.model.PlannedRun;
import dev.escapement.endpoints.model.RunNowRequest;
import dev.escapement.governor.plan.Hint;
import dev.escapement.governor.plan.LastRun;
import dev.escapement.governor.plan.NextRunPlan;
import dev.escapement.governor.plan.OneShotHint;
import dev.escapement.governor.plan.RunCandidate;
import dev.escapement.governor.plan.RunHistory;
import dev.escapement.governor.plan.RunPlanner;
import dev.escapement.governor.plan.RunSource;
import dev.escapement.governor.plan.Schedule;
import dev.escapement.storage.jdbc.DocumentJson;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Plans the next run of an endpoint, from what people say of it and what has happened. Pure. */
public final class EndpointPlanner {

    /** A person asked for a run at once: neither the baseline nor a hint. */
    public static final String RUN_NOW = "RUN_NOW";

    /** It never runs again. */
    public static final String ARCHIVED = "ARCHIVED";

    /** The plan of what is archived. */
    public static final PlannedRun ARCHIVED_PLAN = new PlannedRun(
            Optional.empty(),
            ARCHIVED,
            DocumentJson.write(PlanDocumentWriter.writeWithoutCandidates(ARCHIVED, "Never runs: it is archived.")));

    /** The planner itself failed on it. */
    public static final String UNPLANNABLE = "UNPLANNABLE";

    /** Long enough for any outage, and within what a hint may be. */
    private static final Duration RUN_NOW_EXPIRY = Duration.ofDays(365);

    private static final Duration UNPLANNABLE_RETRY_DELAY = Duration.ofHours(1);

    private final RunPlanner runPlanner;

    /** @param planner with its jitter */
    public EndpointPlanner(RunPlanner planner) {
        this.runPlanner = planner;
    }

    /** The next run of an endpoint that has just changed, or whose last run has just been counted. */
    public PlannedRun plan(
            String id, EndpointDefinition definition, EndpointOverrides steering, RunHistory history, Instant now) {
        if (steering.archived()) {
            return ARCHIVED_PLAN;
        }
        try {
            return steering.runRequest()
                    .filter(wish -> isPending(wish, history))
                    .map(wish -> planRunNow(id, definition, steering, history, wish, now))
                    .orElseGet(() -> {
                        NextRunPlan plan = runPlanner.planNextRun(toSchedule(id, definition, steering), history, now);
                        return toPlannedRun(plan, steering, plan.source().name());
                    });
        } catch (RuntimeException unplannable) {
            // One endpoint that cannot be planned must stop no other. An hour is long enough to do no harm.
            Map<String, Object> story = PlanDocumentWriter.writeWithoutCandidates(
                    UNPLANNABLE, "It could not be planned and is tried again in an hour: " + unplannable.getMessage());
            return new PlannedRun(
                    Optional.of(now.plus(UNPLANNABLE_RETRY_DELAY)), UNPLANNABLE, DocumentJson.write(story));
        }
    }

    /** Whether no run has answered it. */
    static boolean isPending(RunNowRequest wish, RunHistory history) {
        return history.lastRun().filter(run -> !run.slot().isBefore(wish.at())).isEmpty();
    }

    /** A person's wish competes like a hint, but clamps, and what the other side asked for, do not hold it back. */
    private PlannedRun planRunNow(
            String id,
            EndpointDefinition definition,
            EndpointOverrides steering,
            RunHistory history,
            RunNowRequest wish,
            Instant now) {
        OneShotHint asked =
                new OneShotHint(wish.at(), wish.at(), wish.at().plus(RUN_NOW_EXPIRY), wish.author(), wish.reason());
        List<Hint> hints = new ArrayList<>(steering.hints());
        hints.add(asked);
        Schedule free =
                toSchedule(id, definition, steering.hints(hints)).withClamps(Optional.empty(), Optional.empty());
        RunHistory unasked = new RunHistory(
                history.origin(),
                history.failures(),
                history.lastRun().map(run -> new LastRun(run.slot(), run.endedAt())));
        NextRunPlan plan = runPlanner.planNextRun(free, unasked, now);
        boolean taken = plan.chosen().hint().filter(asked::equals).isPresent();
        return toPlannedRun(plan, steering, taken ? RUN_NOW : plan.source().name());
    }

    /** The planner knows when a pause ends; who wants it and why is told here. */
    private static NextRunPlan withPauseCause(NextRunPlan plan, String reason) {
        RunCandidate pause = plan.chosen();
        RunCandidate told =
                new RunCandidate(pause.source(), pause.at(), pause.retryAfter(), pause.hint(), pause.basis() + reason);
        return new NextRunPlan(plan.at(), told, plan.clamp(), plan.rejected(), plan.withoutHints());
    }

    private static Schedule toSchedule(String id, EndpointDefinition definition, EndpointOverrides steering) {
        return new Schedule(
                id,
                definition.baseline(),
                definition.minInterval(),
                definition.maxInterval(),
                steering.pausedUntil(),
                steering.hints());
    }

    private static PlannedRun toPlannedRun(NextRunPlan made, EndpointOverrides steering, String source) {
        NextRunPlan plan = made.source() == RunSource.PAUSE
                ? withPauseCause(
                        made, steering.pause().map(EndpointPause::describeCause).orElse(""))
                : made;
        // What a database keeps; a slot must be the same when it is read again.
        Instant slot = plan.at().truncatedTo(ChronoUnit.MICROS);
        return new PlannedRun(Optional.of(slot), source, DocumentJson.write(PlanDocumentWriter.write(plan, source)));
    }
}
