package dev.escapement.kubernetes.event;

import dev.escapement.engine.journal.Transition;
import dev.escapement.engine.port.ExecutionStore;
import dev.escapement.engine.port.ExecutionStore.ForwardingStore;
import dev.escapement.engine.port.StoreWrite;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.kubernetes.cache.ResourceCache;
import dev.escapement.kubernetes.resource.WorkflowExecutionResource;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A store that publishes the transitions of its own writes.
 *
 * @param executions has the created executions with the uid and time that the API server gave them
 * @param publisher must not block or throw
 * @param blockingPublisher returns after the Event exists or a timeout has passed; must not throw
 */
public record EventPublishingStore(
        ExecutionStore delegate,
        ResourceCache<WorkflowExecutionResource> executions,
        Consumer<Transition> publisher,
        Consumer<Transition> blockingPublisher)
        implements ForwardingStore {

    /** Applies the writes one by one: those before one that fails stay applied, and their transitions are published. */
    @Override
    public boolean apply(List<StoreWrite> writes) {
        // Before the first write: a crash during this wait leaves no write half done.
        writes.forEach(write -> overwrittenClearance(write).ifPresent(blockingPublisher));
        for (StoreWrite write : writes) {
            if (!delegate.apply(List.of(write))) {
                return false;
            }
            asCreated(write).flatMap(Transition::of).ifPresent(publisher);
        }
        return true;
    }

    /** An entry stores its last clearance only: its Event must exist before the write replaces it. */
    private static Optional<Transition> overwrittenClearance(StoreWrite write) {
        return write instanceof StoreWrite.EntryUpdate entry
                        && !entry.updated()
                                .clearance()
                                .equals(entry.expected().value().clearance())
                ? TransitionHistory.clearance(entry.expected().value())
                : Optional.empty();
    }

    private Optional<StoreWrite> asCreated(StoreWrite write) {
        if (!(write instanceof StoreWrite.Creation creation)) {
            return Optional.of(write);
        }
        ExecutionRef ref = creation.execution().ref();
        return executions
                .get(ref.namespace(), ref.name())
                .map(created -> new StoreWrite.Creation(created.read().value()));
    }
}
