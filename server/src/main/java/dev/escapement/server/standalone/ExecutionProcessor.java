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
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Processes one work item: reads the execution and advances it.
 *
 * @param mayStart whether this server may start runs; while it may not, pending executions are requeued
 * @param lockRecoveryTrigger starts the search for targets held by deleted executions
 * @param runRemover removes the data of the runs of a deleted execution
 */
record ExecutionProcessor(
        ExecutionStore store,
        Engine engine,
        InstantSource clock,
        BooleanSupplier mayStart,
        ActiveRuns activeRuns,
        WaitingExecutions waiting,
        Runnable lockRecoveryTrigger,
        Consumer<ExecutionRef> runRemover)
        implements Function<WorkItem, Requeue> {

    @Override
    public Requeue apply(WorkItem item) {
        Optional<Versioned<Execution>> read = store.readExecution(item.execution());
        if (read.isEmpty()) {
            waiting.remove(item.execution(), item.target());
            return processDeleted(item);
        }
        activeRuns.update(read.get().value());
        waiting.update(read.get().value());
        return mustWaitForLease(read.get().value()) ? Requeue.IMMEDIATELY : engine.advance(read.get(), clock.instant());
    }

    /** A pending execution waits while the lease is not held, instead of failing an attempt. */
    private boolean mustWaitForLease(Execution execution) {
        return execution.status() instanceof ExecutionStatus.Pending
                && execution.cancelledBy().isEmpty()
                && !mayStart.getAsBoolean();
    }

    private Requeue processDeleted(WorkItem item) {
        ExecutionRef deleted = item.execution();
        Optional<Target> target = item.target().or(() -> activeRuns.findStoppingTarget(deleted));
        if (target.isEmpty()) {
            runRemover.accept(deleted);
            lockRecoveryTrigger.run();
            return Requeue.NEVER;
        }
        Requeue next = engine.cleanUpDeleted(deleted, target.get(), clock.instant());
        if (next == Requeue.NEVER) {
            activeRuns.removeStoppingTarget(deleted);
            runRemover.accept(deleted);
        } else {
            activeRuns.putStoppingTarget(deleted, target.get());
        }
        return next;
    }
}
