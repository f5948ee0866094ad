package dev.escapement.engine.port;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionStatus;
import dev.escapement.governor.ledger.Clearance;
import dev.escapement.governor.ledger.LedgerEntry;
import java.time.Instant;

/**
 * A conditional write. The result of {@link dev.escapement.engine.journal.Transition#of} is appended to the journal in
 * the same transaction.
 *
 * <p>A cancellation and a clearance may be written in any phase of the execution.
 */
public sealed interface StoreWrite {

    /** Updates the entry of a target. A store removes an entry that has become idle. */
    record EntryUpdate(Versioned<LedgerEntry> expected, LedgerEntry updated, Instant at) implements StoreWrite {}

    /** Updates the status of an execution. */
    record StatusUpdate(Versioned<Execution> expected, ExecutionStatus updated) implements StoreWrite {}

    /** Creates an execution. Conflicts if its namespace has one of that name. */
    record Creation(Execution execution) implements StoreWrite {}

    /** Requests the cancellation of an execution. */
    record Cancellation(Versioned<Execution> expected, String actor, Instant at) implements StoreWrite {}

    /** Records the clearance of a failure on the execution that caused it. */
    record ClearanceUpdate(Versioned<Execution> expected, Clearance clearance) implements StoreWrite {}

    /** Deletes an execution. */
    record Deletion(Versioned<Execution> expected, String actor, Instant at) implements StoreWrite {}

    /** Removes a finished execution whose retention has passed. No person deleted it, and nothing is reset. */
    record Expiry(Versioned<Execution> expected, Instant at) implements StoreWrite {}
}
