package dev.escapement.kubernetes.audit;

import java.time.Instant;

/**
 * A record that the receiver refused.
 *
 * @param sequence its number among the refused ones
 * @param status of HTTP
 * @param replayRequested whether it is to be sent again
 * @param document the record as JSON
 */
public record RefusedRecord(
        long sequence, int status, String error, Instant refusedAt, boolean replayRequested, String document) {

    RefusedRecord withSequence(long number) {
        return new RefusedRecord(number, status, error, refusedAt, replayRequested, document);
    }

    RefusedRecord withReplayRequested() {
        return new RefusedRecord(sequence, status, error, refusedAt, true, document);
    }
}
