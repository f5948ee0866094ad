package dev.escapement.endpoints.worker;

import dev.escapement.endpoints.http.CallResult;
import dev.escapement.endpoints.model.PlannedRun;
import dev.escapement.endpoints.store.EndpointClaim;
import java.time.Instant;

/**
 * A run that has begun.
 *
 * @param claim under which it runs
 * @param plannedRun why it runs; people may have made another plan since, and that is not why
 * @param slot when it was planned for
 * @param startedAt when the call was made
 */
record InFlightCall(EndpointClaim claim, PlannedRun plannedRun, Instant slot, Instant startedAt) {

    /**
     * What came of it.
     *
     * @param countsAsOutcome whether it says anything about the other side
     */
    record FinishedCall(InFlightCall call, CallResult result, Instant endedAt, boolean countsAsOutcome) {

        FinishedCall withClaim(EndpointClaim now) {
            return new FinishedCall(
                    new InFlightCall(now, call.plannedRun, call.slot, call.startedAt),
                    result,
                    endedAt,
                    countsAsOutcome);
        }
    }

    String endpointId() {
        return claim.endpoint().id();
    }
}
