package dev.escapement.endpoints.model;

import dev.escapement.endpoints.http.CallResult;
import java.time.Duration;
import java.time.Instant;

/**
 * A run that has ended.
 *
 * @param endpointId id
 * @param endpointName of the endpoint when it ran
 * @param number from 1, without holes
 * @param attempt how many workers had begun it, this one included
 * @param slot when it was planned for
 * @param dueAt when it could be had: its slot, or, after an attempt that came to nothing, when it was claimed again
 * @param startedAt when the call was made
 * @param endedAt when there was an answer, or none would come
 * @param workerName who ran it
 * @param source what decided its time
 * @param planJson the plan that decided its time, as a JSON document
 * @param failuresBefore in a row, before it
 * @param failuresAfter in a row, with it
 * @param missed beats of the baseline that passed between this run and the next without a run of their own
 * @param missedReason why; empty if none were
 */
public record FinishedRun(
        String endpointId,
        String endpointName,
        long number,
        int attempt,
        Instant slot,
        Instant dueAt,
        Instant startedAt,
        Instant endedAt,
        String workerName,
        String source,
        String planJson,
        int failuresBefore,
        int failuresAfter,
        CallResult callResult,
        long missed,
        String missedReason) {

    /** Names the run. */
    public String id() {
        return Endpoint.runId(endpointId, number);
    }

    /** How long after its slot it started. */
    public Duration lateness() {
        return Duration.between(slot, startedAt);
    }
}
