package dev.escapement.governor.ledger;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.Optional;

/**
 * Executions in a row that could not start.
 *
 * @param failures how many, from 1
 * @param nextAllowed the latest of the deadlines that were drawn when they were recorded; none is ever drawn again
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

    /** The series with one more. Its deadline is the later one: that of an earlier failure stands. */
    static Retry oneMore(Optional<Retry> before, Past past, Instant nextAllowed) {
        if (before.isEmpty()) {
            return new Retry(1, nextAllowed, past);
        }
        Retry series = before.get();
        int counted = series.failures == Integer.MAX_VALUE ? series.failures : series.failures + 1;
        return new Retry(counted, nextAllowed.isAfter(series.nextAllowed) ? nextAllowed : series.nextAllowed, past);
    }
}
