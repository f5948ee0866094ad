package dev.escapement.endpoints.store;

import java.time.Duration;
import java.util.Map;

/**
 * What a worker can take on.
 *
 * @param workerName who, for people
 * @param leaseToken of the leases; no other demand has the same
 * @param limit at most so many
 * @param concurrencyPerHost at most so many of one host at once
 * @param callsByHost how many of each host are running here already; hosts that are not named have none
 * @param leaseMargin a lease ends so long after the endpoint's timeout
 */
public record ClaimRequest(
        String workerName,
        String leaseToken,
        int limit,
        int concurrencyPerHost,
        Map<String, Integer> callsByHost,
        Duration leaseMargin) {

    /** Keeps its own copy of the map. */
    public ClaimRequest {
        callsByHost = Map.copyOf(callsByHost);
    }
}
