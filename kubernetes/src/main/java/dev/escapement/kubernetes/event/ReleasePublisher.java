package dev.escapement.kubernetes.event;

import dev.escapement.common.BoundedMap;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionStatus;
import dev.escapement.engine.journal.Transition;
import dev.escapement.engine.port.Versioned;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.LedgerEntry.Held;
import dev.escapement.kubernetes.cache.ResourceCache;
import dev.escapement.kubernetes.resource.RemediationTargetResource;
import dev.escapement.kubernetes.resource.WorkflowExecutionResource;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes releases of locks, each after the end of its holder. The watches of targets and executions are independent,
 * and the response to a final status may be lost: a release whose holder the cache does not show as finished waits
 * until the watch reports it, or a read from the API server shows that the holder has finished or does not exist.
 * Thread-safe.
 */
final class ReleasePublisher {

    private static final Logger LOG = LoggerFactory.getLogger(ReleasePublisher.class);

    /** The watch is nearly always faster. */
    private static final Duration READ_DELAY = Duration.ofSeconds(10);

    /** Each with its parameters; a lock is released seconds after the deletion of its holder. */
    private static final int MAX_DELETED = 300;

    private final ResourceCache<WorkflowExecutionResource> executions;
    private final ResourceCache<RemediationTargetResource> targets;
    private final Function<ExecutionRef, Optional<Versioned<Execution>>> reader;
    private final Consumer<Execution> history;
    private final Consumer<Transition> publisher;
    private final InstantSource clock;
    private final BiConsumer<Duration, Runnable> scheduler;
    /** What was released and is not published yet, by the uid of the holder. */
    private final Map<String, Held> unpublished = new ConcurrentHashMap<>();
    /** Unfinished executions that were deleted, by uid: they know their remediation, which the entry does not. */
    private final Map<String, Execution> deleted = new BoundedMap<>(MAX_DELETED);

    /**
     * @param reader reads an execution from the API server; may throw
     * @param history publishes what happened to an execution before
     * @param scheduler runs a task after a delay
     */
    ReleasePublisher(
            ResourceCache<WorkflowExecutionResource> executions,
            ResourceCache<RemediationTargetResource> targets,
            Function<ExecutionRef, Optional<Versioned<Execution>>> reader,
            Consumer<Execution> history,
            Consumer<Transition> publisher,
            InstantSource clock,
            BiConsumer<Duration, Runnable> scheduler) {
        this.executions = executions;
        this.targets = targets;
        this.reader = reader;
        this.history = history;
        this.publisher = publisher;
        this.clock = clock;
        this.scheduler = scheduler;
    }

    boolean isEmpty() {
        return unpublished.isEmpty();
    }

    /** Publishes a release that a watch reports. Does not block. */
    void onReleased(Held before) {
        if (!publishIfCachedEnd(before)) {
            checkLater(before);
        }
    }

    /** Publishes a release by this process; reads the holder if the cache does not show that it has finished. */
    void publish(Held before) {
        if (!publishIfCachedEnd(before)) {
            check(before);
        }
    }

    /** Publishes the release of an execution that has changed, if there was one. */
    void onHolderChanged(String uid) {
        Optional.ofNullable(unpublished.get(uid)).ifPresent(this::publishIfCachedEnd);
    }

    /** Publishes the release of an execution that was deleted, if there was one. */
    void onHolderDeleted(Execution execution) {
        String uid = execution.ref().uid();
        if (!(execution.status() instanceof ExecutionStatus.Final)) {
            synchronized (deleted) {
                deleted.put(uid, execution);
            }
        }
        Optional.ofNullable(unpublished.get(uid)).ifPresent(this::publishDeleted);
    }

    /**
     * Remembers the release before it looks at the cache: the watch of executions may report the end at the same time.
     *
     * @return whether nothing is left to do
     */
    private boolean publishIfCachedEnd(Held before) {
        ExecutionRef holder = before.holder().execution();
        unpublished.put(holder.uid(), before);
        return executions
                .get(holder.namespace(), holder.name(), holder.uid())
                .filter(resource -> publishIfEnded(before, resource))
                .isPresent();
    }

    private boolean publishIfEnded(Held before, WorkflowExecutionResource holder) {
        Optional<Execution> execution = holder.readValid().map(Versioned::value);
        if (execution.isEmpty() && holder.isFinal()) {
            // It is invalid, and was failed for that.
            publish(before, execution, clock.instant());
            return true;
        }
        return execution.filter(valid -> publishIfEnded(before, valid)).isPresent();
    }

    private boolean publishIfEnded(Held before, Execution holder) {
        if (holder.status() instanceof ExecutionStatus.Final end) {
            history.accept(holder);
            publish(before, Optional.of(holder), end.completionTime());
            return true;
        }
        return false;
    }

    private void publishDeleted(Held before) {
        Optional<Execution> holder;
        synchronized (deleted) {
            holder = Optional.ofNullable(deleted.get(before.holder().execution().uid()));
        }
        publish(before, holder, clock.instant());
    }

    /** If the target is held again, somebody had deleted the entry, and the engine has restored it. */
    private void publish(Held before, Optional<Execution> holder, Instant at) {
        if (unpublished.remove(before.holder().execution().uid(), before) && !isHeldAgain(before)) {
            TransitionHistory.lockRelease(before, holder, at).ifPresent(publisher);
        }
    }

    private boolean isHeldAgain(Held before) {
        return targets.get("", before.target().objectName())
                .flatMap(RemediationTargetResource::readValid)
                .flatMap(entry -> entry.heldBy(before.holder().execution()))
                .isPresent();
    }

    private void checkLater(Held before) {
        scheduler.accept(READ_DELAY, () -> check(before));
    }

    private void check(Held before) {
        ExecutionRef holder = before.holder().execution();
        if (!unpublished.containsKey(holder.uid())) {
            return;
        }
        if (isHeldAgain(before)) {
            unpublished.remove(holder.uid(), before);
            return;
        }
        try {
            reader.apply(holder)
                    .map(Versioned::value)
                    .ifPresentOrElse(execution -> publishOrCheckLater(before, execution), () -> publishDeleted(before));
        } catch (RuntimeException unreadable) {
            LOG.debug("Holder {} of a released target cannot be read, will retry: {}", holder, unreadable.getMessage());
            checkLater(before);
        }
    }

    private void publishOrCheckLater(Held before, Execution holder) {
        if (!publishIfEnded(before, holder)) {
            checkLater(before);
        }
    }
}
