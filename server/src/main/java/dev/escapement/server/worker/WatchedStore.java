package dev.escapement.server.worker;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.port.Store;
import dev.escapement.engine.port.Versioned;
import dev.escapement.engine.port.Write;
import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.LedgerEntry;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

/** Tells of every status that was stored: progress is live news, but no transition, so that the journal has it not. */
public final class WatchedStore implements Store {

    private final Store store;
    private final BiConsumer<Execution, Execution> changed;

    /** @param changed hears of executions as they were and as they are; must not block */
    public WatchedStore(Store store, BiConsumer<Execution, Execution> changed) {
        this.store = store;
        this.changed = changed;
    }

    @Override
    public Optional<Versioned<Execution>> execution(ExecutionRef ref) {
        return store.execution(ref);
    }

    @Override
    public Versioned<LedgerEntry> entry(Target target) {
        return store.entry(target);
    }

    @Override
    public Versioned<LedgerEntry> currentEntry(Target target) {
        return store.currentEntry(target);
    }

    @Override
    public boolean apply(List<Write> writes) {
        boolean made = store.apply(writes);
        for (Write write : writes) {
            if (made && write instanceof Write.StatusOf status) {
                Execution before = status.seen().value();
                changed.accept(before, before.with(status.next()));
            }
        }
        return made;
    }
}
