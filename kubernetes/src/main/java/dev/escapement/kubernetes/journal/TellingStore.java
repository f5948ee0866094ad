package dev.escapement.kubernetes.journal;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.journal.Transition;
import dev.escapement.engine.port.Store;
import dev.escapement.engine.port.Versioned;
import dev.escapement.engine.port.Write;
import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.LedgerEntry;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** A store that tells what its own writes mean, as soon as they are made. */
public final class TellingStore implements Store {

    private final Store store;
    private final Consumer<Transition> tell;

    /** @param tell must not block or throw */
    public TellingStore(Store store, Consumer<Transition> tell) {
        this.store = store;
        this.tell = tell;
    }

    @Override
    public Optional<Versioned<Execution>> execution(ExecutionRef ref) {
        return store.execution(ref);
    }

    @Override
    public Versioned<LedgerEntry> entry(Target target) {
        return store.entry(target);
    }

    /** One by one: what was made before one that fails stays, and is told. */
    @Override
    public boolean apply(List<Write> writes) {
        for (Write write : writes) {
            if (!store.apply(List.of(write))) {
                return false;
            }
            // A new execution gets its uid and its time from the API server: whoever watches tells of it.
            if (!(write instanceof Write.Create)) {
                Transition.of(write).ifPresent(tell);
            }
        }
        return true;
    }
}
