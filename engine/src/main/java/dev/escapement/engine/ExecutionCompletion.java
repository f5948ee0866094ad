package dev.escapement.engine;

import dev.escapement.backoff.DurationText;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionStatus.Completed;
import dev.escapement.engine.execution.ExecutionStatus.Final;
import dev.escapement.engine.execution.ExecutionStatus.Pending;
import dev.escapement.engine.execution.ExecutionStatus.Running;
import dev.escapement.engine.execution.RunRef;
import dev.escapement.engine.port.ExecutionStore;
import dev.escapement.engine.port.ExecutorUnavailableException;
import dev.escapement.engine.port.StoreWrite;
import dev.escapement.engine.port.StoreWrite.EntryUpdate;
import dev.escapement.engine.port.StoreWrite.StatusUpdate;
import dev.escapement.engine.port.Versioned;
import dev.escapement.engine.port.WorkflowRunner;
import dev.escapement.engine.port.WorkflowRunner.Observation;
import dev.escapement.engine.port.WorkflowRunner.Observation.Stalled;
import dev.escapement.engine.port.WorkflowRunner.Observation.Suspended;
import dev.escapement.engine.port.WorkflowRunner.TargetRun;
import dev.escapement.engine.port.WorkflowRunner.Withdrawal;
import dev.escapement.governor.Policy;
import dev.escapement.governor.Target;
import dev.escapement.governor.failure.Failure;
import dev.escapement.governor.failure.RunFacts;
import dev.escapement.governor.failure.StartStatus;
import dev.escapement.governor.ledger.ExecutionOutcome;
import dev.escapement.governor.ledger.ExecutionOutcome.Withdrawn;
import dev.escapement.governor.ledger.Holder;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.ledger.LedgerEntry.Free;
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
                ? FailureFactory.classify(seen.value(), running, failed.facts())
                : FailureFactory.runMissing(seen.value(), running, now);
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
            return start(seen, running, suspended);
        } else if (isMissing(entry)) {
            return reacquireEntry(entry, seen.value(), running);
        }
        // The ledger entry was removed from outside.
        if (isHolderUndecided(entry.value())) {
            return Requeue.IMMEDIATELY;
        }
        String message = "another execution acquired its target before its run was started";
        return removeRunAndFail(seen, running, suspended, FailureFactory.neverStarted(seen.value(), message, now));
    }

    /**
     * Withdraws a run that its executor cannot run, or has not picked up in time, or that is cancelled. Under its
     * version: a run that the executor picks up in this moment is not withdrawn.
     */
    Requeue withdrawStalled(Versioned<Execution> seen, Running running, Stalled stalled) {
        Instant giveUpAt = new RunLimits(runner, policy, now).pickupLimit(stalled.since());
        Optional<RunFacts> cause = seen.value()
                .cancelledBy()
                .map(by -> FailureFactory.withdrawnBy(by, now))
                .or(stalled::refusal);
        if (cause.isEmpty() && now.isBefore(giveUpAt)) {
            return Requeue.at(giveUpAt);
        }
        RunFacts facts = cause.orElseGet(() -> FailureFactory.unavailable(
                "the executor has not picked up run %s within %s"
                        .formatted(running.run().name(), DurationText.format(policy.pickupTimeout())),
                now));
        return runner.withdraw(running.run(), stalled.version(), facts) == Withdrawal.REMOVED
                ? completeEndedRun(seen, running, new Observation.Failed(facts))
                : Requeue.IMMEDIATELY;
    }

    /** Returns whether the holder acquired the target and is not recorded as Running: it finds the run, and yields. */
    private boolean isHolderUndecided(LedgerEntry entry) {
        return entry instanceof Held held
                && store.readExecution(held.holder().execution())
                        .filter(holder -> holder.value().status() instanceof Pending)
                        .isPresent();
    }

    /** Restores the ledger entry of an execution if it was removed from outside. */
    void restoreMissingEntry(Execution execution, Running running) {
        Versioned<LedgerEntry> entry = readOwnEntry(execution);
        if (isMissing(entry)) {
            reacquireEntry(entry, execution, running);
        }
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
            if (!store.apply(List.of(releaseWrite(entry, held.get(), ended)))) {
                return Requeue.IMMEDIATELY;
            }
        }
        if (!(ended instanceof Completed)) {
            runner.removeSuspended(execution.ref());
        }
        return Requeue.NEVER;
    }

    private Requeue start(Versioned<Execution> seen, Running running, Suspended suspended) {
        try {
            return runner.start(running.run(), suspended.version(), running.epoch())
                    ? Requeue.ON_CHANGE
                    : Requeue.IMMEDIATELY;
        } catch (ExecutorUnavailableException unavailable) {
            if (now.isBefore(running.startTime().plus(policy.executorTimeout()))) {
                throw unavailable;
            }
            RunFacts facts = FailureFactory.unavailable(String.valueOf(unavailable.getMessage()), now);
            // Removed first: another engine that is late could start it after the target is released.
            return runner.remove(running.run(), suspended.version())
                    ? completeEndedRun(seen, running, new Observation.Failed(facts))
                    : Requeue.IMMEDIATELY;
        }
    }

    /** Stops the run of a deleted execution that does not hold its target; if it can, it acquires the target first. */
    Requeue stopUnrecordedRun(TargetRun active, Versioned<LedgerEntry> entry) {
        Holder holder = active.asHolder(now);
        if (entry.value() instanceof Free free) {
            store.apply(List.of(new EntryUpdate(entry, free.reacquire(holder), now)));
            return Requeue.IMMEDIATELY;
        } else if (entry.value().heldBy(holder.execution()).isPresent()) {
            return Requeue.IMMEDIATELY;
        }
        return new RunLimits(runner, policy, now).stop(active.run(), "deletion of execution " + active.execution());
    }

    /** Releases a target whose holder was deleted. If it is unknown whether a step started, it counts as started. */
    Requeue recoverLock(Versioned<LedgerEntry> entry, Held held) {
        String uid = held.holder().runUid();
        if (uid.isEmpty()) {
            return release(entry, held, new Withdrawn());
        }
        RunRef run = new RunRef(held.holder().runName(), uid);
        Observation observed = runner.observe(run);
        if (observed instanceof Observation.Running active) {
            String actor = "deletion of execution " + held.holder().execution();
            return new RunLimits(runner, policy, now).enforce(run, active, Optional.of(actor));
        }
        return outcomeOfDeleted(held, run, observed)
                .map(outcome -> release(entry, held, outcome))
                .orElse(Requeue.ON_CHANGE);
    }

    private Requeue release(Versioned<LedgerEntry> entry, Held held, ExecutionOutcome outcome) {
        EntryUpdate release = new EntryUpdate(entry, held.release(outcome, now), now);
        return store.apply(List.of(release)) ? Requeue.NEVER : Requeue.IMMEDIATELY;
    }

    /** Returns how a deleted holder ended; empty if its run could not be removed under the version that was seen. */
    private Optional<ExecutionOutcome> outcomeOfDeleted(Held held, RunRef run, Observation observed) {
        if (observed instanceof Suspended suspended) {
            return runner.remove(run, suspended.version()) ? Optional.of(new Withdrawn()) : Optional.empty();
        } else if (observed instanceof Stalled stalled) {
            RunFacts facts = FailureFactory.withdrawnBy("its deletion", now);
            return runner.withdraw(run, stalled.version(), facts) == Withdrawal.REMOVED
                    ? Optional.of(held.failedStartOutcome("Cancelled", now, policy))
                    : Optional.empty();
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
