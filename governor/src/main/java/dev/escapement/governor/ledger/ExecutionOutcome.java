package dev.escapement.governor.ledger;

import static java.util.Objects.requireNonNull;

import java.time.Instant;

/**
 * How an execution that held its target ended. There is no outcome for a skipped one: it never held anything, so it
 * leaves no trace.
 */
public sealed interface ExecutionOutcome {

    /** It did what it should. */
    record Completed() implements ExecutionOutcome {}

    /**
     * It is certain that none of its steps ever started, so it may be tried again. The deadline is drawn here, once:
     * the execution's status and the ledger both take it from this value.
     *
     * @param reason a code
     * @param consecutiveFailures how many in a row, this one included
     * @param nextAllowed the earliest next try
     */
    record FailedBeforeExecution(String reason, int consecutiveFailures, Instant nextAllowed)
            implements ExecutionOutcome {
        /** None of them is null. */
        public FailedBeforeExecution {
            requireNonNull(reason, "reason is null");
            requireNonNull(nextAllowed, "nextAllowed is null");
        }
    }

    /**
     * It ran, at least in part, and failed: the target may be half changed.
     *
     * @param reason a code
     */
    record FailedDuringExecution(String reason) implements ExecutionOutcome {
        /** The reason is not null. */
        public FailedDuringExecution {
            requireNonNull(reason, "reason is null");
        }
    }

    /**
     * Its execution was deleted while its run was at work, or may have been. What cannot be known to have been harmless
     * counts as having run. Deleting the execution cannot reset this: that has already happened.
     */
    record Lost() implements ExecutionOutcome {}

    /**
     * It is certain that it never started, and that is nobody's failure: its execution was skipped, cancelled or
     * deleted while it was being admitted. Leaves no trace.
     */
    record Withdrawn() implements ExecutionOutcome {}
}
