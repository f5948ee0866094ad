package dev.escapement.governor.ledger;

import static java.util.Objects.requireNonNull;

import java.time.Instant;

/**
 * Executions of one workflow in a row that could not start.
 *
 * @param failures how many, from 1
 * @param nextAllowed the deadline that was drawn when the last of them was recorded; it is never drawn again
 * @param last the last of them
 */
public record Retry(int failures, Instant nextAllowed, Past last) {

    /** At least one failure. */
    public Retry {
        requireNonNull(nextAllowed, "nextAllowed is null");
        requireNonNull(last, "last is null");
        if (failures < 1) {
            throw new IllegalArgumentException("a retry after " + failures + " failures: there must be at least one");
        }
    }
}
