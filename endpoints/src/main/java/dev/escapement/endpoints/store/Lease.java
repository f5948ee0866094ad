package dev.escapement.endpoints.store;

import java.time.Instant;

/**
 * Who is running an endpoint, and until when nobody else may.
 *
 * @param worker for people
 * @param token only its holder may record a result
 * @param since when it was claimed
 * @param until by the clock of the store
 * @param attempt at this occurrence, from 1
 */
public record Lease(String worker, String token, Instant since, Instant until, int attempt) {}
