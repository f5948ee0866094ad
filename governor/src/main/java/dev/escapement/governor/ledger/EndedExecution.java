package dev.escapement.governor.ledger;

import java.time.Instant;

/**
 * An execution that ended, as the ledger remembers it.
 *
 * @param reason why it failed, as a code; empty if it succeeded
 * @param afterDeletion whether the execution was deleted before its end was recorded: a deletion that is reported late
 *     or twice must not remove it from the memory
 */
public record EndedExecution(
        ExecutionRef execution, String workflow, Instant endedAt, String reason, boolean afterDeletion) {

    /** Returns whether deleting the execution with that uid removes this from the memory. */
    boolean isResetBy(String deletedUid) {
        return execution.hasUid(deletedUid) && !afterDeletion;
    }
}
