package dev.escapement.engine.port;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionStatus;
import dev.escapement.governor.ledger.Clearance;
import dev.escapement.governor.ledger.LedgerEntry;
import java.time.Instant;

/**
 * A change under the version that its writer saw. What {@link dev.escapement.engine.journal.Transition#of} makes of it
 * goes into the journal, in the same transaction.
 *
 * <p>A cancellation and a clearance on an execution may be written whatever its phase: they say what a person wants,
 * not what became of it.
 */
public sealed interface StoreWrite {

    /** The entry of a target. A store removes one that has become idle instead of keeping it. */
    record EntryUpdate(Versioned<LedgerEntry> expected, LedgerEntry updated, Instant at) implements StoreWrite {}

    /** The status of an execution. */
    record StatusUpdate(Versioned<Execution> expected, ExecutionStatus updated) implements StoreWrite {}

    /** A new execution. It cannot be made if its namespace has one of that name. */
    record Creation(Execution execution) implements StoreWrite {}

    /** Somebody wants it to stop. */
    record Cancellation(Versioned<Execution> expected, String actor, Instant at) implements StoreWrite {}

    /** Somebody cleared the block that this execution had caused. */
    record ClearanceUpdate(Versioned<Execution> expected, Clearance clearance) implements StoreWrite {}

    /** Somebody deletes it. */
    record Deletion(Versioned<Execution> expected, String actor, Instant at) implements StoreWrite {}
}
