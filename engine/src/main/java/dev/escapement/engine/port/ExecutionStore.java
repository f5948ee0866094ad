package dev.escapement.engine.port;

import dev.escapement.engine.execution.Execution;
import dev.escapement.governor.Target;
import dev.escapement.governor.gate.GateRequest;
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

    /** Reads the execution, possibly stale. A terminal phase is never stale: it does not change any more. */
    default Optional<Versioned<Execution>> readCachedExecution(ExecutionRef ref) {
        return readExecution(ref);
    }

    /**
     * Returns whether others than engines can remove an entry at any time, as an administrator of a cluster can. Then
     * an entry that is absent does not prove that nothing runs on its target.
     */
    default boolean canLoseEntries() {
        return false;
    }

    /** Reads the entry, possibly stale; an initial one with {@link Versioned#ABSENT} if there is none. */
    Versioned<LedgerEntry> readEntry(Target target);

    /** Reads the current entry from the store itself, not from a cache. */
    Versioned<LedgerEntry> readCurrentEntry(Target target);

    /**
     * Reads the requests of the executions that wait for a target, in any order. Executions that no longer wait may be
     * among them; one that was created before any that the caller has read is never missing.
     */
    List<GateRequest> readWaiting(Target target);

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
        default Optional<Versioned<Execution>> readCachedExecution(ExecutionRef ref) {
            return delegate().readCachedExecution(ref);
        }

        @Override
        default boolean canLoseEntries() {
            return delegate().canLoseEntries();
        }

        @Override
        default Versioned<LedgerEntry> readEntry(Target target) {
            return delegate().readEntry(target);
        }

        @Override
        default Versioned<LedgerEntry> readCurrentEntry(Target target) {
            return delegate().readCurrentEntry(target);
        }

        @Override
        default List<GateRequest> readWaiting(Target target) {
            return delegate().readWaiting(target);
        }
    }
}
