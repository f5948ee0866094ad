package dev.escapement.engine.port;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.Status;
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
public sealed interface Write {

    /** The entry of a target. A store removes one that has become idle instead of keeping it. */
    record Entry(Versioned<LedgerEntry> seen, LedgerEntry next, Instant at) implements Write {}

    /** The status of an execution. */
    record StatusOf(Versioned<Execution> seen, Status next) implements Write {}

    /** A new execution. It cannot be made if its namespace has one of that name. */
    record Create(Execution next) implements Write {}

    /** Somebody wants it to stop. */
    record CancelOf(Versioned<Execution> seen, String by, Instant at) implements Write {}

    /** Somebody cleared the block that this execution had caused. */
    record ClearanceOf(Versioned<Execution> seen, Clearance clearance) implements Write {}

    /** Somebody deletes it. */
    record DeleteOf(Versioned<Execution> seen, String by, Instant at) implements Write {}
}
