package dev.escapement.kubernetes.journal;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.journal.Transition;
import dev.escapement.engine.port.ExecutionStore;
import dev.escapement.engine.port.StoreWrite;
import dev.escapement.engine.port.Versioned;
import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.kubernetes.resource.ExecutionCodec;
import dev.escapement.kubernetes.resource.WorkflowExecution;
import dev.escapement.kubernetes.store.View;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** A store that tells what its own writes mean, as soon as they are made. */
public final class TellingStore implements ExecutionStore {

    private final ExecutionStore store;
    private final View<WorkflowExecution> executions;
    private final Consumer<Transition> tell;
    private final Consumer<Transition> insist;

    /**
     * Tells of what a store writes.
     *
     * @param executions as the store shows them: a new one gets its uid and its time from the API server
     * @param tell must not block or throw
     * @param insist tells it and returns when it is told, or after a while; must not throw
     */
    public TellingStore(
            ExecutionStore store,
            View<WorkflowExecution> executions,
            Consumer<Transition> tell,
            Consumer<Transition> insist) {
        this.store = store;
        this.executions = executions;
        this.tell = tell;
        this.insist = insist;
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

    /** One by one: what was made before one that fails stays, and is told. */
    @Override
    public boolean apply(List<StoreWrite> writes) {
        // Before the first of them: a crash while waiting leaves nothing half made.
        writes.forEach(write -> lastWords(write).ifPresent(insist));
        for (StoreWrite write : writes) {
            if (!store.apply(List.of(write))) {
                return false;
            }
            asMade(write).flatMap(Transition::of).ifPresent(tell);
        }
        return true;
    }

    /** Of a clearance only its entry knows, and of that only the last one: it must be told before it goes. */
    private static Optional<Transition> lastWords(StoreWrite write) {
        return write instanceof StoreWrite.EntryUpdate entry
                        && !entry.updated()
                                .clearance()
                                .equals(entry.expected().value().clearance())
                ? Told.cleared(entry.expected().value())
                : Optional.empty();
    }

    private Optional<StoreWrite> asMade(StoreWrite write) {
        return write instanceof StoreWrite.Creation create
                ? executions
                        .get(
                                create.execution().ref().namespace(),
                                create.execution().ref().name())
                        .map(ExecutionCodec::read)
                        .map(made -> new StoreWrite.Creation(made.value()))
                : Optional.of(write);
    }
}
