package dev.escapement.notifications.audit.sink;

import java.time.Instant;

/**
 * A record that the sink refused.
 *
 * @param sequence of its entry in the trail
 * @param status of HTTP
 * @param replayRequested whether it is to be sent again
 * @param document the record as JSON
 */
public record DeadLetter(
        long sequence, int status, String error, Instant refusedAt, boolean replayRequested, String document) {}
