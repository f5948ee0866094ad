package dev.escapement.engine.request;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionStatus;
import dev.escapement.engine.port.ExecutionStore;
import dev.escapement.engine.port.StoreWrite;
import dev.escapement.engine.port.Versioned;
import dev.escapement.governor.ledger.Clearance;
import dev.escapement.governor.ledger.EndedExecution;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.ledger.LedgerEntry.Held;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Clears one ledger entry as it was read. */
public record TargetClearance(ExecutionStore store) {

    /**
     * Returns the writes that record a clearance: on the executions whose failures it clears, then one update of the
     * entry. Empty if there is nothing to clear.
     *
     * <p>The final status of a holder is visible before its release, and a person may clear the block in between. The
     * same update releases such a holder.
     */
    public Optional<List<StoreWrite>> writes(Versioned<LedgerEntry> entry, Clearance clearance) {
        LedgerEntry released = releaseIfFinal(entry.value());
        return released.clear(clearance).map(cleared -> {
            List<StoreWrite> writes = new ArrayList<>();
            failedExecutions(released).stream()
                    .flatMap(ref -> readIfValid(ref).stream())
                    .map(seen -> new StoreWrite.ClearanceUpdate(seen, clearance))
                    .forEach(writes::add);
            // The entry last: after it is cleared, the executions that it was about are unknown.
            writes.add(new StoreWrite.EntryUpdate(entry, cleared, clearance.at()));
            return writes;
        });
    }

    /** An execution whose status cannot be read must not keep its target blocked. */
    private Optional<Versioned<Execution>> readIfValid(ExecutionRef ref) {
        try {
            return store.readExecution(ref);
        } catch (IllegalArgumentException unreadable) {
            return Optional.empty();
        }
    }

    /** Returns the entry as it will be after the release of a holder that has finished. */
    LedgerEntry releaseIfFinal(LedgerEntry entry) {
        return entry instanceof Held held
                ? finalStatus(held)
                        .<LedgerEntry>map(ended -> ended.release(held))
                        .orElse(held)
                : entry;
    }

    Optional<ExecutionStatus.Final> finalStatus(Held held) {
        return readIfValid(held.holder().execution())
                .map(holder -> holder.value().status())
                .filter(ExecutionStatus.Final.class::isInstance)
                .map(ExecutionStatus.Final.class::cast);
    }

    /** Returns the executions whose failures are cleared. */
    private static Set<ExecutionRef> failedExecutions(LedgerEntry entry) {
        return entry.memory()
                .failedExecutions()
                .map(EndedExecution::execution)
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }
}
