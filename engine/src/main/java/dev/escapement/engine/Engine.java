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
import dev.escapement.governor.Policy;
import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.ledger.LedgerEntry.Held;
import java.time.Instant;
import java.util.List;
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
            return new ExecutionAdmission(store, runner, policy.get(), now).advance(seen, pending);
        } else if (status instanceof ExecutionStatus.Running running) {
            return advanceRunning(seen, running, now);
        }
        return completion(now).releaseFinal(seen.value(), (ExecutionStatus.Final) status);
    }

    /** Releases the target if its holder no longer exists. */
    public Requeue recoverLock(Target target, Instant now) {
        Versioned<LedgerEntry> entry = store.readEntry(target);
        return entry.value() instanceof Held held
                        && store.readExecution(held.holder().execution()).isEmpty()
                ? completion(now).recoverLock(entry, held)
                : Requeue.NEVER;
    }

    /** Cleans up a deleted execution: stops its run and releases its target, or removes its suspended run. */
    public Requeue cleanUpDeleted(ExecutionRef deleted, Target target, Instant now) {
        if (store.readEntry(target).value().heldBy(deleted).isPresent()) {
            return recoverLock(target, now);
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
        Observation observed = runner.observe(running.run());
        if (observed instanceof Observation.Suspended suspended) {
            return completion.startOrCancel(seen, running, suspended);
        } else if (observed instanceof Observation.Running active) {
            seen.value().cancelledBy().ifPresent(by -> runner.stop(running.run(), by));
            boolean known = !active.progress().equals(RunProgress.UNKNOWN);
            boolean changed = known && !active.progress().equals(running.progress());
            return !changed || store.apply(List.of(new StatusUpdate(seen, running.withProgress(active.progress()))))
                    ? Requeue.ON_CHANGE
                    : Requeue.IMMEDIATELY;
        }
        return completion.completeEndedRun(seen, running, observed);
    }

    private ExecutionCompletion completion(Instant now) {
        return new ExecutionCompletion(store, runner, policy.get(), now);
    }
}
