package dev.escapement.endpoints.store;

import java.time.Duration;
import java.util.Map;

/**
 * What a worker can take on.
 *
 * @param worker who, for people
 * @param token of the leases; no other demand has the same
 * @param limit at most so many
 * @param perHost at most so many of one host at once
 * @param busy how many of each host are running here already; hosts that are not named have none
 * @param margin a lease ends so long after the endpoint's timeout
 */
public record Demand(String worker, String token, int limit, int perHost, Map<String, Integer> busy, Duration margin) {

    /** Keeps its own copy of the map. */
    public Demand {
        busy = Map.copyOf(busy);
    }
}
