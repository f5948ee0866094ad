package dev.escapement.endpoints.model;

import java.time.Instant;

/**
 * Who is running an endpoint, and until when nobody else may.
 *
 * @param workerName for people
 * @param token only its holder may record a result
 * @param claimedAt when it was claimed
 * @param expiresAt by the clock of the store
 * @param attempt at this occurrence, from 1
 */
public record EndpointLease(String workerName, String token, Instant claimedAt, Instant expiresAt, int attempt) {}
