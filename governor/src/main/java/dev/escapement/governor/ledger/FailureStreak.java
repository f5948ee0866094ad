package dev.escapement.governor.ledger;

import java.time.Instant;
import java.util.Optional;

/**
 * Executions in a row that could not start.
 *
 * @param failures the number of executions, from 1
 * @param nextAllowed the latest of the deadlines that were drawn when the failures were recorded; empty if the last one
 *     reached the limit, so that only a person can end the series
 */
public record FailureStreak(int failures, Optional<Instant> nextAllowed, EndedExecution last) {

    public FailureStreak {
        if (failures < 1) {
            throw new IllegalArgumentException("failure streak of " + failures + ": it must have at least 1 failure");
        }
    }

    /** Returns the number of the failure after these. */
    static int nextNumber(Optional<FailureStreak> before) {
        int failures = before.isPresent() ? before.get().failures : 0;
        return failures == Integer.MAX_VALUE ? failures : failures + 1;
    }

    FailureStreak withoutDeadline() {
        return new FailureStreak(failures, Optional.empty(), last);
    }

    /** Returns the streak with one more failure. The later deadline counts: an earlier one remains in effect. */
    static FailureStreak extend(Optional<FailureStreak> before, EndedExecution failed, Optional<Instant> nextAllowed) {
        Instant drawn = nextAllowed.orElse(failed.endedAt());
        Optional<Instant> stillAhead =
                before.flatMap(FailureStreak::nextAllowed).filter(deadline -> deadline.isAfter(drawn));
        return new FailureStreak(nextNumber(before), stillAhead.isPresent() ? stillAhead : nextAllowed, failed);
    }
}
