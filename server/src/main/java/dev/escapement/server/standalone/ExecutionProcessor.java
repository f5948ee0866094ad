package dev.escapement.server.standalone;

import dev.escapement.engine.Engine;
import dev.escapement.engine.Requeue;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionStatus;
import dev.escapement.engine.port.ExecutionStore;
import dev.escapement.engine.port.Versioned;
import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.server.WorkItem;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Processes one work item: reads the execution and advances it. Keeps in memory only the targets of deleted executions
 * whose runs are being stopped, because the notification of their end does not name the target. After a crash
 * {@link LedgerCleaner#releaseOrphans} finds them.
 */
public final class ExecutionProcessor implements Function<WorkItem, Requeue> {

    private final ExecutionStore store;
    private final Engine engine;
    private final InstantSource clock;
    private final BooleanSupplier mayStart;
    private final Consumer<Execution> executionListener;
    private final Runnable lockRecoveryTrigger;
    private final Consumer<ExecutionRef> runRemover;
    private final Map<String, Target> stoppingTargets = new ConcurrentHashMap<>();

    /**
     * Creates a processor.
     *
     * @param mayStart whether this server may start runs; while it may not, pending executions are requeued
     * @param executionListener receives every execution before it is processed
     * @param lockRecoveryTrigger starts the search for targets held by deleted executions
     * @param runRemover removes the data of the runs of a deleted execution
     */
    public ExecutionProcessor(
            ExecutionStore store,
            Engine engine,
            InstantSource clock,
            BooleanSupplier mayStart,
            Consumer<Execution> executionListener,
            Runnable lockRecoveryTrigger,
            Consumer<ExecutionRef> runRemover) {
        this.store = store;
        this.engine = engine;
        this.clock = clock;
        this.mayStart = mayStart;
        this.executionListener = executionListener;
        this.lockRecoveryTrigger = lockRecoveryTrigger;
        this.runRemover = runRemover;
    }

    @Override
    public Requeue apply(WorkItem item) {
        Optional<Versioned<Execution>> read = store.readExecution(item.execution());
        if (read.isEmpty()) {
            return processDeleted(item);
        }
        executionListener.accept(read.get().value());
        return mustWaitForLease(read.get().value()) ? Requeue.IMMEDIATELY : engine.advance(read.get(), clock.instant());
    }

    /** A pending execution waits while the lease is not held, instead of failing an attempt. */
    private boolean mustWaitForLease(Execution execution) {
        return execution.status() instanceof ExecutionStatus.Pending
                && execution.cancelledBy().isEmpty()
                && !mayStart.getAsBoolean();
    }

    private Requeue processDeleted(WorkItem item) {
        String uid = item.execution().uid();
        Optional<Target> target = item.target().or(() -> Optional.ofNullable(stoppingTargets.get(uid)));
        if (target.isEmpty()) {
            runRemover.accept(item.execution());
            lockRecoveryTrigger.run();
            return Requeue.NEVER;
        }
        Requeue next = engine.cleanUpDeleted(item.execution(), target.get(), clock.instant());
        if (next == Requeue.NEVER) {
            stoppingTargets.remove(uid);
            runRemover.accept(item.execution());
        } else {
            stoppingTargets.put(uid, target.get());
        }
        return next;
    }

    /** Drops the target of a deleted execution after its lock was released, by this server or another. */
    public void onLockReleased(ExecutionRef execution) {
        stoppingTargets.remove(execution.uid());
    }

    /** Returns how many deleted executions wait for their runs to end. */
    int stoppingCount() {
        return stoppingTargets.size();
    }
}
