package dev.escapement.endpoints.worker;

import dev.escapement.endpoints.Planned;
import dev.escapement.endpoints.call.Answer;
import dev.escapement.endpoints.store.Claim;
import java.time.Instant;

/**
 * A run that has begun.
 *
 * @param claim under which it runs
 * @param planned why it runs; people may have made another plan since, and that is not why
 * @param slot when it was planned for
 * @param startedAt when the call was made
 */
record Flight(Claim claim, Planned planned, Instant slot, Instant startedAt) {

    /**
     * What came of it.
     *
     * @param counts whether it says anything about the other side
     */
    record Landed(Flight flight, Answer answer, Instant endedAt, boolean counts) {

        Landed under(Claim now) {
            return new Landed(new Flight(now, flight.planned, flight.slot, flight.startedAt), answer, endedAt, counts);
        }
    }

    String endpoint() {
        return claim.endpoint().id();
    }
}
