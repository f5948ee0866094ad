package dev.escapement.engine.port;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.Status;
import dev.escapement.governor.ledger.LedgerEntry;

/** A change under the version that its writer saw. */
public sealed interface Write {

    /** The entry of a target. One that is idle need not be kept. */
    record Entry(Versioned<LedgerEntry> seen, LedgerEntry next) implements Write {}

    /** The status of an execution. A change of its phase goes into the journal, in the same transaction. */
    record StatusOf(Versioned<Execution> seen, Status next) implements Write {}
}
