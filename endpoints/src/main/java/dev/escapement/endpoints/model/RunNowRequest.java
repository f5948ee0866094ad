package dev.escapement.endpoints.model;

import java.time.Instant;

/**
 * Somebody wants a run now. It is answered by the first run whose slot is at or after {@code at}.
 *
 * @param at when they asked
 * @param author who asked
 * @param reason why
 */
public record RunNowRequest(Instant at, String author, String reason) {}
