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
 */
public record Past(ExecutionRef execution, String workflow, Instant at, String reason) {

    /** None of them is null. */
    public Past {
        requireNonNull(execution, "execution is null");
        requireNonNull(workflow, "workflow is null");
        requireNonNull(at, "at is null");
        requireNonNull(reason, "reason is null");
    }
}
