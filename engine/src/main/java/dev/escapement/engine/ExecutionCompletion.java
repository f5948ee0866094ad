package dev.escapement.engine;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionStatus.Final;
import dev.escapement.engine.execution.ExecutionStatus.Running;
import dev.escapement.engine.execution.RunRef;
import dev.escapement.engine.port.ExecutionStore;
import dev.escapement.engine.port.StoreWrite;
import dev.escapement.engine.port.StoreWrite.EntryUpdate;
import dev.escapement.engine.port.StoreWrite.StatusUpdate;
import dev.escapement.engine.port.Versioned;
import dev.escapement.engine.port.WorkflowRunner;
import dev.escapement.engine.port.WorkflowRunner.Observation;
import dev.escapement.engine.port.WorkflowRunner.Observation.Suspended;
import dev.escapement.governor.Policy;
import dev.escapement.governor.Target;
import dev.escapement.governor.failure.Failure;
import dev.escapement.governor.failure.StartStatus;
import dev.escapement.governor.ledger.ExecutionOutcome;
import dev.escapement.governor.ledger.ExecutionOutcome.Withdrawn;
import dev.escapement.governor.ledger.Holder;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.ledger.LedgerEntry.Held;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Completes an execution that holds its target: writes the final status first, then releases the target. If the
 * execution was deleted, stops its run first.
 */
record ExecutionCompletion(ExecutionStore store, WorkflowRunner runner, Policy policy, Instant now) {

    /** Completes an execution whose run has ended or no longer exists. */
    Requeue completeEndedRun(Versioned<Execution> seen, Running running, Observation observed) {
        Versioned<LedgerEntry> entry = readOwnEntry(seen.value());
        if (isMissing(entry)) {
            return reacquireEntry(entry, seen.value(), running);
        }
        if (observed instanceof Observation.Succeeded succeeded) {
            return writeFinalStatus(seen, entry, running.toCompleted(succeeded.progress(), succeeded.at()));
        }
        Failure failure = observed instanceof Observation.Failed failed
                ? FailureFactory.classify(seen.value(), failed.facts().withEndNotBefore(running.startTime()))
                : FailureFactory.runDeleted(seen.value(), running, now);
        Running last = observed instanceof Observation.Failed failed
                ? running.withProgress(FailureFactory.finalProgress(failed.facts(), running.progress()))
                : running;
        if (failure.wasExecutionFailure()) {
            ExecutionOutcome during =
                    new ExecutionOutcome.FailedDuringExecution(failure.reason().name());
            return writeFinalStatus(seen, entry, last.toFailed(failure, during));
        }
        // The number and the deadline come from the ledger. If another execution holds the target, nothing counts.
        ExecutionOutcome before = entry.value()
                .heldBy(seen.value().ref())
                .<ExecutionOutcome>map(held -> FailureFactory.outcome(failure, held, policy))
                .orElseGet(Withdrawn::new);
        return writeFinalStatus(seen, entry, last.toFailed(failure, before));
    }

    /**
     * Starts a run that was recorded and not started, because a crash or another engine came in between. Removes it if
     * the execution is cancelled.
     */
    Requeue startOrCancel(Versioned<Execution> seen, Running running, Suspended suspended) {
        Optional<String> by = seen.value().cancelledBy();
        if (by.isPresent()) {
            return removeRunAndFail(seen, running, suspended, FailureFactory.cancelled(seen.value(), by.get(), now));
        }
        Versioned<LedgerEntry> entry = readOwnEntry(seen.value());
        boolean holdsTarget = entry.value()
                .heldBy(seen.value().ref())
                .filter(held -> held.holder().runUid().equals(running.run().uid()))
                .isPresent();
        if (holdsTarget) {
            return runner.start(running.run(), suspended.version(), running.epoch())
                    ? Requeue.ON_CHANGE
                    : Requeue.IMMEDIATELY;
        } else if (isMissing(entry)) {
            return reacquireEntry(entry, seen.value(), running);
        }
        // The ledger entry was removed from outside.
        String message = "another execution acquired its target before its run was started";
        return removeRunAndFail(seen, running, suspended, FailureFactory.neverStarted(seen.value(), message, now));
    }

    /** Releases the target of a finished execution if it still holds it, or removes its suspended run. */
    Requeue releaseFinal(Execution execution, Final ended) {
        Optional<Target> target = Target.tryParse(execution.spec().targetResource());
        if (target.isEmpty()) {
            return Requeue.NEVER;
        }
        Versioned<LedgerEntry> entry = store.readEntry(target.get());
        Optional<Held> held = entry.value().heldBy(execution.ref());
        if (held.isPresent()) {
            return store.apply(List.of(releaseWrite(entry, held.get(), ended))) ? Requeue.NEVER : Requeue.IMMEDIATELY;
        }
        runner.removeSuspended(execution.ref());
        return Requeue.NEVER;
    }

    /** Releases a target whose holder was deleted. If it is unknown whether a step started, it counts as started. */
    Requeue recoverLock(Versioned<LedgerEntry> entry, Held held) {
        return stopDeletedHolder(held)
                .map(outcome -> new EntryUpdate(entry, held.release(outcome, now), now))
                .map(release -> store.apply(List.of(release)) ? Requeue.NEVER : Requeue.IMMEDIATELY)
                .orElse(Requeue.ON_CHANGE);
    }

    /** Stops the run. Returns how the holder ended; empty while its run is active. */
    private Optional<ExecutionOutcome> stopDeletedHolder(Held held) {
        String uid = held.holder().runUid();
        if (uid.isEmpty()) {
            return Optional.of(new Withdrawn());
        }
        RunRef run = new RunRef(held.holder().runName(), uid);
        Observation observed = runner.observe(run);
        if (observed instanceof Suspended suspended) {
            return runner.remove(run, suspended.version()) ? Optional.of(new Withdrawn()) : Optional.empty();
        } else if (observed instanceof Observation.Running) {
            runner.stop(run, "deletion of execution " + held.holder().execution());
            return Optional.empty();
        } else if (observed instanceof Observation.Succeeded) {
            return Optional.of(new ExecutionOutcome.Completed());
        } else if (observed instanceof Observation.Failed failed && StartStatus.of(failed.facts()) == StartStatus.NO) {
            return Optional.of(held.failedStartOutcome("Cancelled", now, policy));
        }
        return Optional.of(new ExecutionOutcome.Lost());
    }

    private Requeue removeRunAndFail(Versioned<Execution> seen, Running running, Suspended suspended, Failure failure) {
        return runner.remove(running.run(), suspended.version())
                ? writeFinalStatus(seen, readEntry(seen.value()), running.toFailed(failure, new Withdrawn()))
                : Requeue.IMMEDIATELY;
    }

    private Requeue writeFinalStatus(Versioned<Execution> seen, Versioned<LedgerEntry> entry, Final ended) {
        StoreWrite status = new StatusUpdate(seen, ended);
        boolean written = entry.value()
                .heldBy(seen.value().ref())
                .map(held -> store.apply(List.of(status, releaseWrite(entry, held, ended))))
                .orElseGet(() -> store.apply(List.of(status)));
        // Requeue also if all was written: a stale entry may have hidden that the target is held.
        return written && entry.value().heldBy(seen.value().ref()).isPresent() ? Requeue.NEVER : Requeue.IMMEDIATELY;
    }

    private static StoreWrite releaseWrite(Versioned<LedgerEntry> entry, Held held, Final ended) {
        return new EntryUpdate(entry, ended.release(held), ended.completionTime());
    }

    /**
     * Restores a ledger entry that was removed from outside, so that the outcome can be recorded. Fails if there is an
     * entry again; the next call reads it then.
     */
    private Requeue reacquireEntry(Versioned<LedgerEntry> missing, Execution execution, Running running) {
        boolean stillRunning = store.readExecution(execution.ref())
                .filter(current -> current.value().status() instanceof Running)
                .isPresent();
        if (stillRunning) {
            Holder holder = execution.asHolder(running.run(), running.startTime());
            LedgerEntry initial = missing.value();
            Held restored = new Held(initial.target(), running.epoch(), initial.memory(), initial.clearance(), holder);
            store.apply(List.of(new EntryUpdate(missing, restored, running.startTime())));
        }
        return Requeue.IMMEDIATELY;
    }

    private static boolean isMissing(Versioned<LedgerEntry> entry) {
        return entry.version().equals(Versioned.ABSENT);
    }

    /** Reads the entry; if it does not name this execution, it is probably stale and is read from the store itself. */
    private Versioned<LedgerEntry> readOwnEntry(Execution execution) {
        Versioned<LedgerEntry> seen = readEntry(execution);
        return seen.value().heldBy(execution.ref()).isPresent()
                ? seen
                : store.readCurrentEntry(seen.value().target());
    }

    private Versioned<LedgerEntry> readEntry(Execution execution) {
        return store.readEntry(Target.parse(execution.spec().targetResource()));
    }
}
