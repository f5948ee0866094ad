package dev.escapement.kubernetes.controller;

import dev.escapement.common.WorkResult;
import dev.escapement.engine.Engine;
import dev.escapement.engine.Requeue;
import dev.escapement.engine.port.ExecutionStore;
import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.LedgerEntry.Held;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Cleans up after deletions: releases the target of a deleted execution, deletes its runs, and restores a ledger entry
 * that was deleted while an execution holds it.
 */
record DeletionCleanup(
        ExecutionStore store,
        Engine engine,
        Consumer<ExecutionRef> runRemover,
        LedgerReset ledgerReset,
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
        boolean forgotten = target.map(on -> ledgerReset.forget(deleted, on, clock.instant()))
                .orElse(true);
        return forgotten ? WorkResult.DONE : WorkResult.CONFLICT;
    }

    WorkResult restoreEntry(Held removed) {
        engine.restoreRemovedEntry(removed, clock.instant());
        return WorkResult.DONE;
    }
}
