package dev.escapement.kubernetes.controller;

import dev.escapement.common.WorkQueue.WorkResult;
import dev.escapement.engine.Engine;
import dev.escapement.engine.Requeue;
import dev.escapement.engine.port.ExecutionStore;
import dev.escapement.engine.port.StoreWrite;
import dev.escapement.engine.port.Versioned;
import dev.escapement.governor.Policy;
import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.EndedExecution;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.ledger.LedgerEntry.Held;
import dev.escapement.kubernetes.cache.ResourceCache;
import dev.escapement.kubernetes.resource.WorkflowExecutionResource;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Cleans up after deletions: releases the target of a deleted execution, deletes its runs, removes it from the memory
 * of the ledger if the policy says so, and restores a ledger entry that was deleted while an execution holds it.
 */
record DeletionCleanup(
        ResourceCache<WorkflowExecutionResource> executions,
        ExecutionStore store,
        Engine engine,
        Consumer<ExecutionRef> runRemover,
        Supplier<Policy> policy,
        InstantSource clock) {

    /** @param target empty if it is not known; then only the runs are deleted */
    WorkResult cleanUp(ExecutionRef deleted, Optional<Target> target) {
        // A stale cache may have shown it as deleted.
        if (store.readExecution(deleted).isPresent()) {
            return WorkResult.DONE;
        }
        Requeue next = target.map(on -> engine.cleanUpDeleted(deleted, on, clock.instant()))
                .orElse(Requeue.NEVER);
        if (next != Requeue.NEVER) {
            // The end of a run that is still being stopped starts the clean-up again.
            return OperatorTask.toResult(next);
        }
        runRemover.accept(deleted);
        boolean forgotten = target.map(on -> forget(deleted, on)).orElse(true);
        return forgotten ? WorkResult.DONE : WorkResult.CONFLICT;
    }

    WorkResult restoreEntry(Held removed) {
        engine.restoreRemovedEntry(removed, clock.instant());
        return WorkResult.DONE;
    }

    /** Removes an execution from the memory of the ledger. Returns false if the write conflicts. */
    boolean forget(ExecutionRef deleted, Target target) {
        Versioned<LedgerEntry> seen = store.readEntry(target);
        return replace(seen, seen.value().forget(deleted, policy.get()));
    }

    /**
     * Removes all deleted executions from the memory of an entry. An execution can be deleted while no operator runs,
     * so one that is missing counts as deleted. Returns false if the write conflicts.
     */
    boolean forgetDeleted(Versioned<LedgerEntry> seen) {
        Policy rules = policy.get();
        if (!rules.resetOnDelete()) {
            return true;
        }
        LedgerEntry changed = seen.value();
        for (ExecutionRef remembered : rememberedExecutions(seen.value())) {
            changed = isDeleted(remembered) ? changed.forget(remembered, rules) : changed;
        }
        return replace(seen, changed);
    }

    private boolean replace(Versioned<LedgerEntry> seen, LedgerEntry changed) {
        return changed.equals(seen.value())
                || store.apply(List.of(new StoreWrite.EntryUpdate(seen, changed, clock.instant())));
    }

    private static List<ExecutionRef> rememberedExecutions(LedgerEntry entry) {
        return entry.memory()
                .executions()
                .filter(past -> !past.afterDeletion())
                .map(EndedExecution::execution)
                .distinct()
                .toList();
    }

    private boolean isDeleted(ExecutionRef remembered) {
        boolean cached = executions
                .get(remembered.namespace(), remembered.name(), remembered.uid())
                .isPresent();
        return !cached && store.readExecution(remembered).isEmpty();
    }
}
