package dev.escapement.endpoints.model;

import java.time.Instant;

/**
 * The exclusive right of a worker to run an endpoint, until it expires.
 *
 * @param workerName shown to users
 * @param token required to record the result
 * @param expiresAt by the clock of the store
 * @param attempt number of this attempt of the run, from 1
 */
public record EndpointLease(String workerName, String token, Instant claimedAt, Instant expiresAt, int attempt) {}
