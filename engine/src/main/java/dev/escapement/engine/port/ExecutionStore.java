package dev.escapement.engine.port;

import dev.escapement.engine.execution.Execution;
import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.LedgerEntry;
import java.util.List;
import java.util.Optional;

/** Executions and ledger entries. May be shared by several engines; each value changes by compare-and-set. */
public interface ExecutionStore {

    /**
     * The execution as it is now, from the store itself and not from a cache: the second look depends on it.
     *
     * @return empty if it was deleted
     */
    Optional<Versioned<Execution>> readExecution(ExecutionRef ref);

    /** The target's entry; a fresh one with {@link Versioned#ABSENT} if there is none. It may be old. */
    Versioned<LedgerEntry> readEntry(Target target);

    /** The target's entry as it is now, from the store itself, for what must not be decided on an old view. */
    Versioned<LedgerEntry> readCurrentEntry(Target target);

    /**
     * Makes the changes in this order, each only if the version is still the one that was seen. A store with
     * transactions makes all or none; one without stops at the first that fails, and what it has made stays.
     *
     * @return whether all were made
     */
    boolean apply(List<StoreWrite> writes);
}
