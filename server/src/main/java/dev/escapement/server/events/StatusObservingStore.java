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

/** Tells of every status that was stored: progress is live news, but no transition, so that the journal has it not. */
public final class StatusObservingStore implements ExecutionStore {

    private final ExecutionStore store;
    private final BiConsumer<Execution, Execution> statusListener;

    /** @param changed hears of executions as they were and as they are; must not block */
    public StatusObservingStore(ExecutionStore store, BiConsumer<Execution, Execution> changed) {
        this.store = store;
        this.statusListener = changed;
    }

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
        boolean made = store.apply(writes);
        for (StoreWrite write : writes) {
            if (made && write instanceof StoreWrite.StatusUpdate status) {
                Execution before = status.expected().value();
                statusListener.accept(before, before.withStatus(status.updated()));
            }
        }
        return made;
    }
}
