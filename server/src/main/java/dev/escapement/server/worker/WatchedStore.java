package dev.escapement.server.worker;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.Status;
import dev.escapement.engine.port.Store;
import dev.escapement.engine.port.Versioned;
import dev.escapement.engine.port.Write;
import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.LedgerEntry;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Tells of progress that was stored: it is live news, but no transition, so that the journal does not have it. */
public final class WatchedStore implements Store {

    private final Store store;
    private final Consumer<Execution> progressed;

    /** @param progressed hears of running executions that got further; must not block */
    public WatchedStore(Store store, Consumer<Execution> progressed) {
        this.store = store;
        this.progressed = progressed;
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
    public boolean apply(List<Write> writes) {
        boolean made = store.apply(writes);
        for (Write write : writes) {
            if (made
                    && write instanceof Write.StatusOf status
                    && status.next() instanceof Status.Running
                    && status.seen().value().status() instanceof Status.Running) {
                progressed.accept(status.seen().value().with(status.next()));
            }
        }
        return made;
    }
}
