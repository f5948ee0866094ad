package dev.escapement.endpoints.schedule;

import dev.escapement.api.endpoint.ScheduleExplanation;
import dev.escapement.common.Json;
import dev.escapement.endpoints.model.EndpointDefinition;
import dev.escapement.endpoints.model.EndpointOverrides;
import dev.escapement.endpoints.model.EndpointOverrides.EndpointPause;
import dev.escapement.endpoints.model.EndpointOverrides.RunNowRequest;
import dev.escapement.endpoints.model.ScheduledEndpoint.PlannedRun;
import dev.escapement.governor.plan.Hint;
import dev.escapement.governor.plan.Hint.OneShotHint;
import dev.escapement.governor.plan.NextRunPlan;
import dev.escapement.governor.plan.NextRunPlan.RejectedCandidate;
import dev.escapement.governor.plan.RunCandidate;
import dev.escapement.governor.plan.RunHistory;
import dev.escapement.governor.plan.RunHistory.LastRun;
import dev.escapement.governor.plan.RunPlanner;
import dev.escapement.governor.plan.RunSource;
import dev.escapement.governor.plan.Schedule;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Plans the next run of an endpoint from its definition, overrides and history. No side effects. */
public record EndpointPlanner(RunPlanner runPlanner) {

    /** Source of a run that a user requested with "run now". */
    public static final String RUN_NOW = "RUN_NOW";

    /** Source of the plan of an archived endpoint. */
    public static final String ARCHIVED = "ARCHIVED";

    /** The plan of every archived endpoint: no run. */
    public static final PlannedRun ARCHIVED_PLAN = new PlannedRun(
            Optional.empty(), ARCHIVED, Json.write(withoutCandidates(ARCHIVED, "Never runs: it is archived.")));

    /** Source of a plan that stands for an error of the planner. */
    public static final String UNPLANNABLE = "UNPLANNABLE";

    /** Longer than any outage, and allowed for a hint. */
    private static final Duration RUN_NOW_EXPIRY = Duration.ofDays(365);

    private static final Duration UNPLANNABLE_RETRY_DELAY = Duration.ofHours(1);

    /** Plans the next run of an endpoint that has changed or whose last run has finished. Never throws. */
    public PlannedRun plan(
            String id, EndpointDefinition definition, EndpointOverrides overrides, RunHistory history, Instant now) {
        if (overrides.archived()) {
            return ARCHIVED_PLAN;
        }
        try {
            return overrides
                    .runRequest()
                    .filter(request -> isPending(request, history))
                    .map(request -> planRunNow(id, definition, overrides, history, request, now))
                    .orElseGet(() -> {
                        NextRunPlan plan = runPlanner.planNextRun(toSchedule(id, definition, overrides), history, now);
                        return toPlannedRun(plan, overrides, plan.source().name());
                    });
        } catch (RuntimeException unplannable) {
            // One endpoint must not stop the others; an hour between retries costs nothing.
            String reason = "The next run could not be planned, will retry in an hour: " + unplannable.getMessage();
            return new PlannedRun(
                    Optional.of(now.plus(UNPLANNABLE_RETRY_DELAY)),
                    UNPLANNABLE,
                    Json.write(withoutCandidates(UNPLANNABLE, reason)));
        }
    }

    /** Whether no run has fulfilled the request. */
    static boolean isPending(RunNowRequest request, RunHistory history) {
        return history.lastRun()
                .filter(run -> !run.slot().isBefore(request.at()))
                .isEmpty();
    }

    /** Plans the request as a one-shot hint, without clamps and without the endpoint's {@code Retry-After}. */
    private PlannedRun planRunNow(
            String id,
            EndpointDefinition definition,
            EndpointOverrides overrides,
            RunHistory history,
            RunNowRequest request,
            Instant now) {
        OneShotHint requestHint = new OneShotHint(
                request.at(), request.at(), request.at().plus(RUN_NOW_EXPIRY), request.author(), request.reason());
        List<Hint> hints = new ArrayList<>(overrides.hints());
        hints.add(requestHint);
        Schedule unclamped =
                toSchedule(id, definition, overrides.withHints(hints)).withClamps(Optional.empty(), Optional.empty());
        RunHistory withoutRetryAfter = new RunHistory(
                history.origin(),
                history.failures(),
                history.lastRun().map(run -> new LastRun(run.slot(), run.endedAt())));
        NextRunPlan plan = runPlanner.planNextRun(unclamped, withoutRetryAfter, now);
        boolean chosen = plan.chosen().hint().filter(requestHint::equals).isPresent();
        return toPlannedRun(plan, overrides, chosen ? RUN_NOW : plan.source().name());
    }

    /** Adds author and reason of the pause to the explanation. */
    private static NextRunPlan withPauseCause(NextRunPlan plan, EndpointOverrides overrides) {
        String cause = overrides.pause().map(EndpointPause::describeCause).orElse("");
        RunCandidate pause = plan.chosen();
        RunCandidate explained =
                new RunCandidate(pause.source(), pause.at(), pause.retryAfter(), pause.hint(), pause.basis() + cause);
        return new NextRunPlan(plan.at(), explained, plan.clamp(), plan.rejected(), plan.withoutHints());
    }

    private static Schedule toSchedule(String id, EndpointDefinition definition, EndpointOverrides overrides) {
        return new Schedule(
                id,
                definition.baseline(),
                definition.minInterval(),
                definition.maxInterval(),
                overrides.pausedUntil(),
                overrides.hints());
    }

    private static PlannedRun toPlannedRun(NextRunPlan original, EndpointOverrides overrides, String source) {
        NextRunPlan plan = original.source() == RunSource.PAUSE ? withPauseCause(original, overrides) : original;
        // The precision of the database: a slot must be equal when it is read back.
        Instant slot = plan.at().truncatedTo(ChronoUnit.MICROS);
        return new PlannedRun(Optional.of(slot), source, Json.write(toDocument(plan, source)));
    }

    /** Returns what was chosen, what moved it, and every other candidate with the rule against it. */
    private static ScheduleExplanation toDocument(NextRunPlan plan, String source) {
        return new ScheduleExplanation(
                plan.at().toString(),
                source,
                plan.chosen().basis(),
                authorOf(plan.chosen()),
                plan.clamp().map(clamp -> clamp.bound().name()).orElse(null),
                plan.clamp().map(clamp -> clamp.originalTime().toString()).orElse(null),
                plan.rejected().stream().map(EndpointPlanner::toDocument).toList(),
                new ScheduleExplanation.Alternative(
                        plan.withoutHints().at().toString(),
                        plan.withoutHints().source().name(),
                        Map.of()),
                plan.explain(),
                Map.of());
    }

    /** Returns a plan in which nothing had to be decided. */
    private static ScheduleExplanation withoutCandidates(String source, String explanation) {
        return new ScheduleExplanation(null, source, null, null, null, null, null, null, explanation, Map.of());
    }

    private static ScheduleExplanation.Rejected toDocument(RejectedCandidate rejection) {
        RunCandidate candidate = rejection.candidate();
        return new ScheduleExplanation.Rejected(
                candidate.source().name(),
                candidate.at().toString(),
                candidate.basis(),
                authorOf(candidate),
                rejection.reason().name(),
                rejection.reason().description(),
                Map.of());
    }

    private static @Nullable String authorOf(RunCandidate candidate) {
        return candidate.hint().map(Hint::author).orElse(null);
    }
}
