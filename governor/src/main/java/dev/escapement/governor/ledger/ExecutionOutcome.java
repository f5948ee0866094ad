package dev.escapement.governor.ledger;

import java.time.Instant;

/** How an execution that held its target ended. */
public sealed interface ExecutionOutcome {

    /** It succeeded. */
    record Completed() implements ExecutionOutcome {}

    /**
     * It failed, and certainly none of its steps started, so it may be retried. The deadline is drawn once; the
     * execution's status and the ledger both take it from this value.
     *
     * @param reason a code
     * @param consecutiveFailures the number of failures in a row, this one included
     * @param nextAllowed the earliest next attempt
     */
    record FailedBeforeExecution(String reason, int consecutiveFailures, Instant nextAllowed)
            implements ExecutionOutcome {}

    /**
     * It failed, and a step started or may have: the target may be half changed.
     *
     * @param reason a code
     */
    record FailedDuringExecution(String reason) implements ExecutionOutcome {}

    /**
     * It was deleted while its run was active, or may have been. Deleting the execution does not reset this, because
     * that has already happened.
     */
    record Lost() implements ExecutionOutcome {}

    /**
     * It was skipped, cancelled or deleted while it was being admitted, and certainly never started. The ledger does
     * not remember it.
     */
    record Withdrawn() implements ExecutionOutcome {}
}
