package dev.escapement.endpoints.model;

import java.time.Instant;
import java.util.Optional;

/**
 * An endpoint as read from the store.
 *
 * @param version increases with every write except lease renewals; an update by a user requires it unchanged
 * @param revision increases with every change by a user; recording a result requires it unchanged
 * @param attempts number of claims of the next run so far, including lost and released ones
 * @param lease the last lease that was not released; it may have expired
 */
public record StoredEndpoint(
        ScheduledEndpoint endpoint, long version, long revision, int attempts, Optional<EndpointLease> lease) {

    /**
     * The exclusive right of a worker to run an endpoint, until it expires.
     *
     * @param workerName shown to users
     * @param token required to record the result
     * @param expiresAt by the clock of the store
     * @param attempt number of this attempt of the run, from 1
     */
    public record EndpointLease(String workerName, String token, Instant claimedAt, Instant expiresAt, int attempt) {}
}
