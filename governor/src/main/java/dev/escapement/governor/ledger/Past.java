package dev.escapement.governor.ledger;

import static java.util.Objects.requireNonNull;

import java.time.Instant;

/**
 * An execution that ended, as far as the ledger remembers it.
 *
 * @param execution which one
 * @param workflow what it ran
 * @param at when it ended
 * @param reason why it failed, as a code; empty if it did not
 * @param afterDeletion whether the execution had been deleted before this was recorded: then a deletion that is
 *     reported late, or twice, must not make the ledger forget it
 */
public record Past(ExecutionRef execution, String workflow, Instant at, String reason, boolean afterDeletion) {

    /** None of them is null. */
    public Past {
        requireNonNull(execution, "execution is null");
        requireNonNull(workflow, "workflow is null");
        requireNonNull(at, "at is null");
        requireNonNull(reason, "reason is null");
    }

    /** An execution that was there when it was recorded. */
    public Past(ExecutionRef execution, String workflow, Instant at, String reason) {
        this(execution, workflow, at, reason, false);
    }

    Past recordedAfterDeletion() {
        return new Past(execution, workflow, at, reason, true);
    }

    /** Whether deleting the execution with that uid makes this forgotten. */
    boolean isResetBy(String deletedUid) {
        return execution.is(deletedUid) && !afterDeletion;
    }
}
