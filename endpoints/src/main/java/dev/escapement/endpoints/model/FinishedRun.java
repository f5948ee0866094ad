package dev.escapement.endpoints.model;

import dev.escapement.endpoints.http.CallResult;
import java.time.Duration;
import java.time.Instant;

/**
 * A finished run in the history of an endpoint.
 *
 * @param endpointName name of the endpoint at the time of the run
 * @param number from 1, without gaps
 * @param attempt number of workers that started it, including this one
 * @param slot planned time
 * @param dueAt when it became claimable: its slot, or the time of the claim if an earlier attempt was lost
 * @param startedAt start of the call
 * @param endedAt time of the result
 * @param source what decided the slot
 * @param planJson the plan that decided the slot, as a JSON document
 * @param failuresBefore consecutive failures before this run
 * @param failuresAfter consecutive failures including this run
 * @param missed slots of the baseline that were skipped between this run and the next
 * @param missedReason why; empty if none were missed
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

    public String id() {
        return ScheduledEndpoint.runId(endpointId, number);
    }

    public FinishedRun withCallResult(CallResult replacement) {
        return new FinishedRun(
                endpointId,
                endpointName,
                number,
                attempt,
                slot,
                dueAt,
                startedAt,
                endedAt,
                workerName,
                source,
                planJson,
                failuresBefore,
                failuresAfter,
                replacement,
                missed,
                missedReason);
    }

    /** Delay between slot and start. */
    public Duration lateness() {
        return Duration.between(slot, startedAt);
    }
}
