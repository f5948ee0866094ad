package dev.escapement.endpoints.model;

import dev.escapement.governor.plan.RunHistory;
import java.time.Instant;
import java.util.Optional;

/**
 * A URL that is called on a schedule, with its history and its next run.
 *
 * @param id unique, never reused; seeds the jitter
 * @param history includes every finished run
 * @param nextRunNumber number of the next run, from 1; with the id it identifies the run across all attempts
 * @param lastRemediation result of the last request for a remediation
 */
public record ScheduledEndpoint(
        String id,
        Instant createdAt,
        EndpointDefinition definition,
        EndpointOverrides overrides,
        RunHistory history,
        long nextRunNumber,
        PlannedRun nextRun,
        Optional<RemediationAttempt> lastRemediation) {

    /** Returns a copy that was changed by a user, with the new plan. */
    public ScheduledEndpoint withChanges(
            EndpointDefinition definition, EndpointOverrides overrides, RunHistory history, PlannedRun nextRun) {
        return new ScheduledEndpoint(
                id, createdAt, definition, overrides, history, nextRunNumber, nextRun, lastRemediation);
    }

    /** The id of the next run: unique, the same for every attempt, safe in URLs and headers. */
    public String runId() {
        return runId(id, nextRunNumber);
    }

    /** Returns the id of the run with that number. */
    public static String runId(String id, long number) {
        return id + "-" + number;
    }

    /**
     * The next run of an endpoint, as stored.
     *
     * @param at the slot, in whole microseconds; empty if it never runs
     * @param source what decided the slot
     * @param planJson the plan as a {@link dev.escapement.api.endpoint.ScheduleExplanation}: the chosen candidate, and
     *     the rejected ones with reasons
     */
    public record PlannedRun(Optional<Instant> at, String source, String planJson) {}
}
