package dev.escapement.engine.port;

import dev.escapement.engine.execution.Execution;
import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.LedgerEntry;
import java.util.List;
import java.util.Optional;

/** Stores executions and ledger entries. Several engines may share it; every write is a compare-and-set. */
public interface ExecutionStore {

    /**
     * Reads the current execution from the store itself, not from a cache.
     *
     * @return empty if it was deleted
     */
    Optional<Versioned<Execution>> readExecution(ExecutionRef ref);

    /** Reads the entry, possibly stale; an initial one with {@link Versioned#ABSENT} if there is none. */
    Versioned<LedgerEntry> readEntry(Target target);

    /** Reads the current entry from the store itself, not from a cache. */
    Versioned<LedgerEntry> readCurrentEntry(Target target);

    /**
     * Applies the writes in this order, each only if its expected version is still current. A store with transactions
     * applies all or none; one without stops at the first conflict and keeps the writes before it.
     *
     * @return whether all were applied
     */
    boolean apply(List<StoreWrite> writes);

    /** A store that reads as its delegate does and adds to its writes. */
    interface ForwardingStore extends ExecutionStore {

        ExecutionStore delegate();

        @Override
        default Optional<Versioned<Execution>> readExecution(ExecutionRef ref) {
            return delegate().readExecution(ref);
        }

        @Override
        default Versioned<LedgerEntry> readEntry(Target target) {
            return delegate().readEntry(target);
        }

        @Override
        default Versioned<LedgerEntry> readCurrentEntry(Target target) {
            return delegate().readCurrentEntry(target);
        }
    }
}
