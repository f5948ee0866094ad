package dev.escapement.endpoints.model;

import java.time.Instant;

/**
 * A user's request to run now. Fulfilled by the first run whose slot is at or after {@code at}.
 *
 * @param at time of the request
 */
public record RunNowRequest(Instant at, String author, String reason) {}
