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
public record FailureStreak(int failures, Instant nextAllowed, EndedExecution last) {

    /** At least one failure. */
    public FailureStreak {
        requireNonNull(nextAllowed, "nextAllowed is null");
        requireNonNull(last, "last is null");
        if (failures < 1) {
            throw new IllegalArgumentException("a retry after " + failures + " failures: there must be at least one");
        }
    }

    /** The series with one more. Its deadline is the later one: that of an earlier failure stands. */
    static FailureStreak extend(Optional<FailureStreak> before, EndedExecution past, Instant nextAllowed) {
        if (before.isEmpty()) {
            return new FailureStreak(1, nextAllowed, past);
        }
        FailureStreak series = before.get();
        int counted = series.failures == Integer.MAX_VALUE ? series.failures : series.failures + 1;
        return new FailureStreak(
                counted, nextAllowed.isAfter(series.nextAllowed) ? nextAllowed : series.nextAllowed, past);
    }
}
