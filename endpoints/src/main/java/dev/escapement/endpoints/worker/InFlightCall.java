package dev.escapement.endpoints.worker;

import dev.escapement.endpoints.http.CallResult;
import dev.escapement.endpoints.model.PlannedRun;
import dev.escapement.endpoints.store.EndpointClaim;
import java.time.Instant;

/**
 * A call in flight.
 *
 * @param plannedRun the plan that led to the call; the claim may hold a newer one after a change by a user
 */
record InFlightCall(EndpointClaim claim, PlannedRun plannedRun, Instant slot, Instant startedAt) {

    /**
     * A finished call.
     *
     * @param countsAsOutcome whether the result is a success or failure of the endpoint; false if it was not called
     */
    record FinishedCall(InFlightCall call, CallResult result, Instant endedAt, boolean countsAsOutcome) {

        FinishedCall withClaim(EndpointClaim refreshed) {
            return new FinishedCall(
                    new InFlightCall(refreshed, call.plannedRun, call.slot, call.startedAt),
                    result,
                    endedAt,
                    countsAsOutcome);
        }
    }

    String endpointId() {
        return claim.endpoint().id();
    }
}
