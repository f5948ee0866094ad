package dev.escapement.endpoints.model;

import dev.escapement.governor.plan.RunHistory;
import java.time.Instant;
import java.util.Optional;

/**
 * An endpoint: what people say of it, what happened, and what comes next.
 *
 * @param id never changes and is never used again; the key of its jitter
 * @param history with every run counted that has ended
 * @param nextRunNumber of the next run, from 1; together with the id it names the occurrence, whoever attempts it
 * @param nextRun the next run
 * @param lastRemediation what became of the last wish for a remediation
 */
public record Endpoint(
        String id,
        Instant createdAt,
        EndpointDefinition definition,
        EndpointOverrides overrides,
        RunHistory history,
        long nextRunNumber,
        PlannedRun nextRun,
        Optional<RemediationAttempt> lastRemediation) {

    /** The same with what people now say, and the plan that follows from it. */
    public Endpoint withChanges(
            EndpointDefinition definition, EndpointOverrides steering, RunHistory history, PlannedRun planned) {
        return new Endpoint(id, createdAt, definition, steering, history, nextRunNumber, planned, lastRemediation);
    }

    /** Names the next run: the same for every attempt at it, and no other run's. Safe in a URL and in a header. */
    public String runId() {
        return runId(id, nextRunNumber);
    }

    /** Names a run. */
    public static String runId(String id, long number) {
        return id + "-" + number;
    }
}
