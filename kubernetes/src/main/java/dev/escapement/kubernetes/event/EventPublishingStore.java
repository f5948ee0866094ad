package dev.escapement.kubernetes.event;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.journal.Transition;
import dev.escapement.engine.port.ExecutionStore;
import dev.escapement.engine.port.ExecutionStore.ForwardingStore;
import dev.escapement.engine.port.StoreWrite;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.ledger.LedgerEntry.Held;
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
 * @param earlier publishes what happened to an execution before: the watch may report it later than its first change
 * @param releases publishes a release after the end of its holder, unless the target is still held; receives the entry
 *     before it
 * @param deletions receives who deletes executions here
 */
public record EventPublishingStore(
        ExecutionStore delegate,
        ResourceCache<WorkflowExecutionResource> executions,
        Consumer<Transition> publisher,
        Consumer<Transition> blockingPublisher,
        Consumer<Execution> earlier,
        Consumer<Held> releases,
        DeletionActors deletions)
        implements ForwardingStore {

    /** Creates a store whose replayer publishes what its writes alone do not tell. */
    public EventPublishingStore(
            ExecutionStore delegate,
            ResourceCache<WorkflowExecutionResource> executions,
            EventPublisher publisher,
            EventReplayer replayer,
            DeletionActors deletions) {
        this(
                delegate,
                executions,
                publisher::publish,
                publisher::publishAndWait,
                replayer::publishHistory,
                replayer::publishRelease,
                deletions);
    }

    /** Applies the writes one by one: those before one that fails stay applied, and their transitions are published. */
    @Override
    public boolean apply(List<StoreWrite> writes) {
        // Before the first write: a crash during this wait leaves no write half done.
        writes.forEach(write -> overwrittenClearance(write).ifPresent(blockingPublisher));
        // The watch reports every deletion, by whomever; its Event must already say that this one is no person's.
        writes.stream()
                .filter(StoreWrite.Expiry.class::isInstance)
                .flatMap(write -> Transition.of(write).stream())
                .forEach(publisher);
        for (StoreWrite write : writes) {
            if (!applyOne(write)) {
                // Perhaps an earlier attempt was applied and its response was lost.
                release(write).ifPresent(releases);
                return false;
            }
            if (write instanceof StoreWrite.StatusUpdate update) {
                earlier.accept(update.expected().value());
            } else if (write instanceof StoreWrite.Cancellation cancellation) {
                earlier.accept(cancellation.expected().value());
            }
            Optional<Held> release = release(write);
            if (release.isPresent() && !hasStatusOf(release.get(), writes)) {
                release.ifPresent(releases);
            } else if (!(write instanceof StoreWrite.Expiry)) {
                asCreated(write)
                        .flatMap(applied -> Transition.of(applied, writes))
                        .ifPresent(publisher);
            }
        }
        return true;
    }

    /** Returns the entry before a release. */
    private static Optional<Held> release(StoreWrite write) {
        return write instanceof StoreWrite.EntryUpdate entry
                        && entry.expected().value() instanceof Held held
                        && entry.updated() instanceof LedgerEntry.Free
                        && entry.updated().clearance().equals(held.clearance())
                ? Optional.of(held)
                : Optional.empty();
    }

    /**
     * Returns whether the final status of the holder is written too. If not, another write stored it, perhaps one of
     * another replica or one without a response: its Event may not exist yet.
     */
    private static boolean hasStatusOf(Held before, List<StoreWrite> writes) {
        return writes.stream()
                .anyMatch(write -> write instanceof StoreWrite.StatusUpdate status
                        && status.expected()
                                .value()
                                .ref()
                                .equals(before.holder().execution()));
    }

    private boolean applyOne(StoreWrite write) {
        if (!(write instanceof StoreWrite.Deletion deletion)) {
            return delegate.apply(List.of(write));
        }
        ExecutionRef ref = deletion.expected().value().ref();
        deletions.add(ref, deletion.actor());
        boolean deleted = delegate.apply(List.of(write));
        if (!deleted) {
            deletions.remove(ref);
        }
        return deleted;
    }

    /** An entry stores its last clearance only: its Event must exist before the write replaces it. */
    private Optional<Transition> overwrittenClearance(StoreWrite write) {
        return write instanceof StoreWrite.EntryUpdate entry
                        && !entry.updated()
                                .clearance()
                                .equals(entry.expected().value().clearance())
                ? TransitionHistory.clearance(
                        entry.expected().value(),
                        EventReplayer.executionsOn(entry.updated().target(), executions))
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
