package dev.escapement.endpoints.model;

import static dev.escapement.endpoints.model.EndpointMapper.given;
import static dev.escapement.endpoints.model.EndpointMapper.text;

import dev.escapement.api.endpoint.Endpoint.AttributedTime;
import dev.escapement.api.endpoint.EndpointRun;
import dev.escapement.api.endpoint.EndpointStatus;
import dev.escapement.api.endpoint.ScheduleExplanation;
import dev.escapement.common.Json;
import dev.escapement.endpoints.http.CallResult;
import dev.escapement.endpoints.model.ScheduledEndpoint.PlannedRun;
import dev.escapement.endpoints.model.StoredEndpoint.EndpointLease;
import dev.escapement.governor.plan.Hint;
import dev.escapement.governor.plan.RunHistory;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Maps the status of endpoints, their remediations and their runs to documents. */
public final class EndpointStatusMapper {

    private static final Logger LOG = LoggerFactory.getLogger(EndpointStatusMapper.class);
    private static final int MAX_WARNINGS = 100;
    private static final Set<String> WARNED = ConcurrentHashMap.newKeySet();

    private EndpointStatusMapper() {}

    /** Returns the status, with the phase of the last remediation's execution if it was looked up. */
    public static EndpointStatus toStatus(StoredEndpoint stored, Instant now, Optional<String> executionPhase) {
        ScheduledEndpoint endpoint = stored.endpoint();
        EndpointOverrides overrides = endpoint.overrides();
        Optional<EndpointLease> running =
                stored.lease().filter(lease -> lease.expiresAt().isAfter(now));
        return new EndpointStatus(
                stateOf(endpoint, now),
                endpoint.history().failures(),
                endpoint.nextRunNumber() - 1,
                endpoint.history()
                        .lastRun()
                        .map(run -> new EndpointStatus.LastRun(
                                ScheduledEndpoint.runId(endpoint.id(), endpoint.nextRunNumber() - 1),
                                run.slot().toString(),
                                run.endedAt().toString(),
                                Map.of()))
                        .orElse(null),
                overrides
                        .pause()
                        .filter(pause -> pause.until().isAfter(now))
                        .map(pause -> new AttributedTime(
                                null, pause.until().toString(), pause.author(), pause.reason(), Map.of()))
                        .orElse(null),
                EndpointMapper.writeRunRequest(overrides),
                running.map(lease -> toRunning(endpoint, lease)).orElse(null),
                running.isPresent() ? null : toNextRun(endpoint),
                readPlan("endpoint " + endpoint.id(), endpoint.nextRun().planJson()),
                endpoint.lastRemediation()
                        .map(attempt -> toDocument(attempt, executionPhase))
                        .orElse(null),
                Map.of());
    }

    /** Returns the state in one word; a pause counts before the result of the last run. */
    private static String stateOf(ScheduledEndpoint endpoint, Instant now) {
        if (endpoint.overrides().archived()) {
            return "ARCHIVED";
        } else if (endpoint.overrides().isPaused(now)) {
            return "PAUSED";
        } else if (endpoint.history().lastRun().isEmpty()) {
            return "NEW";
        }
        return endpoint.history().failures() > 0 ? "FAILING" : "HEALTHY";
    }

    static String stateOf(Hint hint, RunHistory history, Instant now) {
        return history.hasFulfilled(hint) ? "ANSWERED" : hint.isExpired(now) ? "EXPIRED" : "ACTIVE";
    }

    private static EndpointStatus.RunningRun toRunning(ScheduledEndpoint endpoint, EndpointLease lease) {
        return new EndpointStatus.RunningRun(
                endpoint.runId(),
                endpoint.nextRun().at().map(Instant::toString).orElse(""),
                lease.claimedAt().toString(),
                lease.workerName(),
                lease.attempt(),
                lease.expiresAt().toString(),
                Map.of());
    }

    private static EndpointStatus.@Nullable NextRun toNextRun(ScheduledEndpoint endpoint) {
        PlannedRun next = endpoint.nextRun();
        return next.at()
                .map(at -> new EndpointStatus.NextRun(endpoint.runId(), at.toString(), next.source(), Map.of()))
                .orElse(null);
    }

    /** Returns null for a plan that another version stored in another form: everything else is shown. */
    private static @Nullable ScheduleExplanation readPlan(String owner, String json) {
        try {
            return Json.read(json, ScheduleExplanation.class);
        } catch (Json.JsonException unreadable) {
            // Lists are read again and again, and thousands of runs may have such a plan.
            boolean first = WARNED.size() < MAX_WARNINGS && WARNED.add(owner);
            LOG.atLevel(first ? Level.WARN : Level.DEBUG)
                    .log("The stored plan of {} cannot be read and is not shown: {}", owner, unreadable.getMessage());
            return null;
        }
    }

    /** Returns an attempt with the phase of its execution, which is empty for the stored form. */
    public static EndpointStatus.RemediationState toDocument(
            RemediationAttempt attempt, Optional<String> executionPhase) {
        return new EndpointStatus.RemediationState(
                attempt.runNumber(),
                attempt.at().toString(),
                attempt.state().name(),
                attempt.executionName().orElse(null),
                attempt.namespace().orElse(null),
                attempt.reason(),
                attempt.blockedUntil().map(Instant::toString).orElse(null),
                executionPhase.orElse(null),
                Map.of());
    }

    /** Reads a stored attempt; throws as {@link EndpointMapper#readDefinition}. */
    public static RemediationAttempt readAttempt(EndpointStatus.RemediationState stored) {
        return new RemediationAttempt(
                Objects.requireNonNullElse(stored.run(), 0L),
                Instant.parse(text(stored.at())),
                RemediationAttempt.State.valueOf(text(stored.state())),
                given(stored.execution()),
                given(stored.namespace()),
                text(stored.reason()),
                given(stored.until()).map(Instant::parse));
    }

    /** Returns a run with the plan that decided its time. */
    public static EndpointRun toDocument(FinishedRun run) {
        CallResult result = run.callResult();
        boolean missed = run.missed() > 0;
        return new EndpointRun(
                run.id(),
                run.endpointName(),
                run.endpointId(),
                run.number(),
                run.attempt(),
                result.isSuccess() ? "SUCCEEDED" : "FAILED",
                result.failure().map(Enum::name).orElse(null),
                result.statusCode().orElse(null),
                result.error(),
                run.slot().toString(),
                run.dueAt().toString(),
                run.startedAt().toString(),
                run.endedAt().toString(),
                run.lateness().toMillis(),
                Duration.between(run.startedAt(), run.endedAt()).toMillis(),
                run.workerName(),
                run.source(),
                run.failuresBefore(),
                run.failuresAfter(),
                result.bodyBytes(),
                result.excerpt(),
                result.retryAfter().map(Duration::toSeconds).orElse(null),
                missed ? run.missed() : null,
                missed ? run.missedReason() : null,
                readPlan("run " + run.id(), run.planJson()),
                Map.of());
    }
}
