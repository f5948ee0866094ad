package dev.escapement.engine;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionStatus;
import dev.escapement.engine.execution.RunProgress;
import dev.escapement.engine.port.ExecutionStore;
import dev.escapement.engine.port.StoreWrite.EntryUpdate;
import dev.escapement.engine.port.StoreWrite.StatusUpdate;
import dev.escapement.engine.port.Versioned;
import dev.escapement.engine.port.WorkflowRunner;
import dev.escapement.engine.port.WorkflowRunner.Observation;
import dev.escapement.engine.port.WorkflowRunner.TargetRun;
import dev.escapement.governor.Policy;
import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.ledger.LedgerEntry.Held;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Advances an execution through its phases. Stateless: correct after a crash between any two writes, with stale reads,
 * and when two engines process the same execution at once. The order of the writes ensures that: see
 * {@link ExecutionAdmission} and {@link ExecutionCompletion}.
 *
 * @param policy read at every decision, so that a change takes effect immediately
 */
public record Engine(ExecutionStore store, WorkflowRunner runner, Supplier<Policy> policy) {

    /** Makes the next transition of the execution, if one is possible. The execution may be stale. */
    public Requeue advance(Versioned<Execution> seen, Instant now) {
        ExecutionStatus status = seen.value().status();
        if (status instanceof ExecutionStatus.Pending pending) {
            return advancePending(seen, pending, now);
        } else if (status instanceof ExecutionStatus.Running running) {
            return advanceRunning(seen, running, now);
        }
        return completion(now).releaseFinal(seen.value(), (ExecutionStatus.Final) status);
    }

    private Requeue advancePending(Versioned<Execution> seen, ExecutionStatus.Pending pending, Instant now) {
        try {
            return new ExecutionAdmission(store, runner, policy.get(), now).advance(seen, pending);
        } catch (RuntimeException failure) {
            new RetryReport(store, now).record(seen, pending, failure);
            throw failure;
        }
    }

    /** Releases the target if its holder no longer exists. */
    public Requeue recoverLock(Target target, Instant now) {
        Versioned<LedgerEntry> entry = store.readEntry(target);
        return entry.value() instanceof Held held
                        && store.readExecution(held.holder().execution()).isEmpty()
                ? completion(now).recoverLock(entry, held)
                : Requeue.NEVER;
    }

    /**
     * Cleans up a deleted execution: stops its run and releases its target, or removes its suspended run. A run that is
     * active although the ledger does not name it holds the target until it has stopped.
     */
    public Requeue cleanUpDeleted(ExecutionRef deleted, Target target, Instant now) {
        if (store.readEntry(target).value().heldBy(deleted).isPresent()) {
            return recoverLock(target, now);
        }
        if (runner.findActiveRun(deleted).isPresent()) {
            // Probably stale. The entry is read first: if the run is active after that, the entry should have named it.
            Versioned<LedgerEntry> entry = store.readCurrentEntry(target);
            Optional<TargetRun> active = runner.findRuns(target).stream()
                    .filter(run -> run.execution().equals(deleted) && run.isActive())
                    .findFirst();
            return active.map(run -> completion(now).stopUnrecordedRun(run, entry))
                    .orElse(Requeue.NEVER);
        }
        runner.removeSuspended(deleted);
        return Requeue.NEVER;
    }

    /**
     * Restores a ledger entry that was removed from outside while its holder is active. (To release a target, cancel
     * its holder.)
     *
     * @param removed the entry as it was last seen
     */
    public Requeue restoreRemovedEntry(Held removed, Instant now) {
        boolean active = store.readExecution(removed.holder().execution())
                .filter(holder -> !(holder.value().status() instanceof ExecutionStatus.Final))
                .isPresent();
        if (active) {
            Versioned<LedgerEntry> absent = new Versioned<>(LedgerEntry.initial(removed.target()), Versioned.ABSENT);
            // Fails if there is an entry again.
            store.apply(List.of(new EntryUpdate(absent, removed, now)));
        }
        return Requeue.NEVER;
    }

    private Requeue advanceRunning(Versioned<Execution> seen, ExecutionStatus.Running running, Instant now) {
        ExecutionCompletion completion = completion(now);
        if (store.canLoseEntries()) {
            completion.restoreMissingEntry(seen.value(), running);
        }
        Observation observed = runner.observe(running.run());
        if (observed instanceof Observation.Suspended suspended) {
            return completion.startOrCancel(seen, running, suspended);
        } else if (observed instanceof Observation.Stalled stalled) {
            return completion.withdrawStalled(seen, running, stalled);
        } else if (observed instanceof Observation.Running active) {
            Requeue next = new RunLimits(runner, policy.get(), now)
                    .enforce(running.run(), active, seen.value().cancelledBy())
                    .noLaterThan(active.checkAt());
            if (next == Requeue.IMMEDIATELY) {
                return completion.completeEndedRun(
                        seen, running, new Observation.Failed(FailureFactory.runRemoved(seen.value(), running, now)));
            }
            boolean known = !active.progress().equals(RunProgress.UNKNOWN);
            boolean changed = known && !active.progress().equals(running.progress());
            return !changed || store.apply(List.of(new StatusUpdate(seen, running.withProgress(active.progress()))))
                    ? next
                    : Requeue.IMMEDIATELY;
        }
        return completion.completeEndedRun(seen, running, observed);
    }

    private ExecutionCompletion completion(Instant now) {
        return new ExecutionCompletion(store, runner, policy.get(), now);
    }
}
