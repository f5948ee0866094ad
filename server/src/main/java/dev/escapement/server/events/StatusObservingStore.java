package dev.escapement.server.events;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.port.ExecutionStore;
import dev.escapement.engine.port.StoreWrite;
import dev.escapement.engine.port.Versioned;
import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.LedgerEntry;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * Passes every stored status to a listener, because the journal has transitions only and no progress.
 *
 * @param statusListener receives the execution before and after the change; must not block
 */
public record StatusObservingStore(ExecutionStore store, BiConsumer<Execution, Execution> statusListener)
        implements ExecutionStore {

    @Override
    public Optional<Versioned<Execution>> readExecution(ExecutionRef ref) {
        return store.readExecution(ref);
    }

    @Override
    public Versioned<LedgerEntry> readEntry(Target target) {
        return store.readEntry(target);
    }

    @Override
    public Versioned<LedgerEntry> readCurrentEntry(Target target) {
        return store.readCurrentEntry(target);
    }

    @Override
    public boolean apply(List<StoreWrite> writes) {
        boolean applied = store.apply(writes);
        for (StoreWrite write : writes) {
            if (applied && write instanceof StoreWrite.StatusUpdate status) {
                Execution before = status.expected().value();
                statusListener.accept(before, before.withStatus(status.updated()));
            }
        }
        return applied;
    }
}
