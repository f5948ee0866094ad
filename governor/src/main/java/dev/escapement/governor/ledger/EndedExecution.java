package dev.escapement.governor.ledger;

import static java.util.Objects.requireNonNull;

import java.time.Instant;

/**
 * An execution that ended, as far as the ledger remembers it.
 *
 * @param execution which one
 * @param workflow what it ran
 * @param endedAt when it ended
 * @param reason why it failed, as a code; empty if it did not
 * @param afterDeletion whether the execution had been deleted before this was recorded: then a deletion that is
 *     reported late, or twice, must not make the ledger forget it
 */
public record EndedExecution(
        ExecutionRef execution, String workflow, Instant endedAt, String reason, boolean afterDeletion) {

    /** None of them is null. */
    public EndedExecution {
        requireNonNull(execution, "execution is null");
        requireNonNull(workflow, "workflow is null");
        requireNonNull(endedAt, "at is null");
        requireNonNull(reason, "reason is null");
    }

    /** An execution that was there when it was recorded. */
    public EndedExecution(ExecutionRef execution, String workflow, Instant at, String reason) {
        this(execution, workflow, at, reason, false);
    }

    EndedExecution asRecordedAfterDeletion() {
        return new EndedExecution(execution, workflow, endedAt, reason, true);
    }

    /** Whether deleting the execution with that uid makes this forgotten. */
    boolean isResetBy(String deletedUid) {
        return execution.hasUid(deletedUid) && !afterDeletion;
    }
}
