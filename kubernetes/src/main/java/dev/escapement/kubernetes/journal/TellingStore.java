package dev.escapement.kubernetes.journal;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.journal.Transition;
import dev.escapement.engine.port.Store;
import dev.escapement.engine.port.Versioned;
import dev.escapement.engine.port.Write;
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
public final class TellingStore implements Store {

    private final Store store;
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
            Store store, View<WorkflowExecution> executions, Consumer<Transition> tell, Consumer<Transition> insist) {
        this.store = store;
        this.executions = executions;
        this.tell = tell;
        this.insist = insist;
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

    /** One by one: what was made before one that fails stays, and is told. */
    @Override
    public boolean apply(List<Write> writes) {
        // Before the first of them: a crash while waiting leaves nothing half made.
        writes.forEach(write -> lastWords(write).ifPresent(insist));
        for (Write write : writes) {
            if (!store.apply(List.of(write))) {
                return false;
            }
            asMade(write).flatMap(Transition::of).ifPresent(tell);
        }
        return true;
    }

    /** Of a clearance only its entry knows, and of that only the last one: it must be told before it goes. */
    private static Optional<Transition> lastWords(Write write) {
        return write instanceof Write.Entry entry
                        && !entry.next().clearance().equals(entry.seen().value().clearance())
                ? Told.cleared(entry.seen().value())
                : Optional.empty();
    }

    private Optional<Write> asMade(Write write) {
        return write instanceof Write.Create create
                ? executions
                        .get(
                                create.next().ref().namespace(),
                                create.next().ref().name())
                        .map(ExecutionCodec::read)
                        .map(made -> new Write.Create(made.value()))
                : Optional.of(write);
    }
}
