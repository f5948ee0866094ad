package dev.escapement.kubernetes.event;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.journal.Transition;
import dev.escapement.engine.port.ExecutionStore;
import dev.escapement.engine.port.StoreWrite;
import dev.escapement.engine.port.Versioned;
import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.kubernetes.cache.ResourceCache;
import dev.escapement.kubernetes.resource.ExecutionCodec;
import dev.escapement.kubernetes.resource.WorkflowExecution;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** A store that tells what its own writes mean, as soon as they are made. */
public final class EventPublishingStore implements ExecutionStore {

    private final ExecutionStore delegate;
    private final ResourceCache<WorkflowExecution> executions;
    private final Consumer<Transition> publisher;
    private final Consumer<Transition> blockingPublisher;

    /**
     * Tells of what a store writes.
     *
     * @param executions as the store shows them: a new one gets its uid and its time from the API server
     * @param tell must not block or throw
     * @param insist tells it and returns when it is told, or after a while; must not throw
     */
    public EventPublishingStore(
            ExecutionStore store,
            ResourceCache<WorkflowExecution> executions,
            Consumer<Transition> tell,
            Consumer<Transition> insist) {
        this.delegate = store;
        this.executions = executions;
        this.publisher = tell;
        this.blockingPublisher = insist;
    }

    @Override
    public Optional<Versioned<Execution>> readExecution(ExecutionRef ref) {
        return delegate.readExecution(ref);
    }

    @Override
    public Versioned<LedgerEntry> readEntry(Target target) {
        return delegate.readEntry(target);
    }

    @Override
    public Versioned<LedgerEntry> readCurrentEntry(Target target) {
        return delegate.readCurrentEntry(target);
    }

    /** One by one: what was made before one that fails stays, and is told. */
    @Override
    public boolean apply(List<StoreWrite> writes) {
        // Before the first of them: a crash while waiting leaves nothing half made.
        writes.forEach(write -> overwrittenClearance(write).ifPresent(blockingPublisher));
        for (StoreWrite write : writes) {
            if (!delegate.apply(List.of(write))) {
                return false;
            }
            asCreated(write).flatMap(Transition::of).ifPresent(publisher);
        }
        return true;
    }

    /** Of a clearance only its entry knows, and of that only the last one: it must be told before it goes. */
    private static Optional<Transition> overwrittenClearance(StoreWrite write) {
        return write instanceof StoreWrite.EntryUpdate entry
                        && !entry.updated()
                                .clearance()
                                .equals(entry.expected().value().clearance())
                ? TransitionHistory.clearance(entry.expected().value())
                : Optional.empty();
    }

    private Optional<StoreWrite> asCreated(StoreWrite write) {
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
