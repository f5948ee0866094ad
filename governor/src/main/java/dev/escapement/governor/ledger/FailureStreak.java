package dev.escapement.governor.ledger;

import java.time.Instant;
import java.util.Optional;

/**
 * Executions in a row that could not start.
 *
 * @param failures the number of executions, from 1
 * @param nextAllowed the latest of the deadlines that were drawn when the failures were recorded
 */
public record FailureStreak(int failures, Instant nextAllowed, EndedExecution last) {

    public FailureStreak {
        if (failures < 1) {
            throw new IllegalArgumentException("failure streak of " + failures + ": it must have at least 1 failure");
        }
    }

    /** Returns the streak with one more failure. The later deadline counts: an earlier one remains in effect. */
    static FailureStreak extend(Optional<FailureStreak> before, EndedExecution failed, Instant nextAllowed) {
        if (before.isEmpty()) {
            return new FailureStreak(1, nextAllowed, failed);
        }
        FailureStreak streak = before.get();
        int counted = streak.failures == Integer.MAX_VALUE ? streak.failures : streak.failures + 1;
        return new FailureStreak(
                counted, nextAllowed.isAfter(streak.nextAllowed) ? nextAllowed : streak.nextAllowed, failed);
    }
}
