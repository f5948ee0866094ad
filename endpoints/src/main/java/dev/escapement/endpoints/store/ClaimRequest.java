package dev.escapement.endpoints.store;

import java.time.Duration;
import java.util.Map;

/**
 * A worker's request to claim due endpoints.
 *
 * @param workerName shown to users
 * @param leaseToken token of the new leases, unique to this request
 * @param limit maximum number of claims
 * @param concurrencyPerHost maximum number of concurrent calls to one host, including {@code callsByHost}
 * @param callsByHost calls of this worker in flight, by host; hosts without calls may be missing
 * @param leaseMargin how long a lease lasts beyond the endpoint's timeout
 */
public record ClaimRequest(
        String workerName,
        String leaseToken,
        int limit,
        int concurrencyPerHost,
        Map<String, Integer> callsByHost,
        Duration leaseMargin) {

    public ClaimRequest {
        callsByHost = Map.copyOf(callsByHost);
    }
}
