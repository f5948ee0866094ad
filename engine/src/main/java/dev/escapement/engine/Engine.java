package dev.escapement.engine;

import static java.util.Objects.requireNonNull;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionStatus;
import dev.escapement.engine.execution.RunProgress;
import dev.escapement.engine.port.ExecutionStore;
import dev.escapement.engine.port.StoreWrite;
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
 * Carries an execution on. It keeps nothing between two calls, so that it is right after a crash between any two lines,
 * with an old view, and when two engines do the same at once. The order of the writes is what makes it so: see
 * {@link ExecutionAdmission} for the way in and {@link ExecutionCompletion} for the way out.
 */
public final class Engine {

    private final ExecutionStore store;
    private final WorkflowRunner runner;
    private final Supplier<Policy> policy;
    private final ExecutionAdmission admission;
    private final LockRecovery lockRecovery;
    private final ExecutionCompletion completion;

    /** @param policy asked at every decision, so that a change acts at once */
    public Engine(ExecutionStore store, WorkflowRunner runner, Supplier<Policy> policy) {
        this.store = requireNonNull(store, "store is null");
        this.runner = requireNonNull(runner, "runner is null");
        this.policy = requireNonNull(policy, "policy is null");
        this.lockRecovery = new LockRecovery(store, runner);
        this.admission = new ExecutionAdmission(store, runner, lockRecovery);
        this.completion = new ExecutionCompletion(store, runner);
    }

    /** Does for the execution what can be done now. The view may be old. */
    public Requeue advance(Versioned<Execution> seen, Instant now) {
        ExecutionStatus status = seen.value().status();
        if (status instanceof ExecutionStatus.Pending pending) {
            return admission.advance(seen, pending, policy.get(), now);
        } else if (status instanceof ExecutionStatus.Running running) {
            return advanceRunning(seen, running, policy.get(), now);
        }
        return completion.releaseFinal(seen.value(), (ExecutionStatus.Final) status);
    }

    /** Frees the target of an execution that was deleted, or that a reader found missing. */
    public Requeue recoverLock(Target target, Instant now) {
        Versioned<LedgerEntry> entry = store.readEntry(target);
        return entry.value() instanceof Held held
                        && store.readExecution(held.holder().execution()).isEmpty()
                ? lockRecovery.recover(entry, held, policy.get(), now)
                : Requeue.NEVER;
    }

    /** Cleans up after an execution that was deleted: stops its run and frees its target, or drops what it prepared. */
    public Requeue cleanUpDeleted(ExecutionRef gone, Target target, Instant now) {
        if (store.readEntry(target).value().heldBy(gone).isPresent()) {
            return recoverLock(target, now);
        }
        runner.removeSuspended(gone);
        return Requeue.NEVER;
    }

    /**
     * Somebody took the entry of a target away. Whoever still works on the target holds it as before: to let go of it,
     * there is cancelling.
     *
     * @param was the entry, as it was last seen
     */
    public Requeue restoreRemovedEntry(Held was, Instant now) {
        boolean atWork = store.readExecution(was.holder().execution())
                .filter(holder -> !(holder.value().status() instanceof ExecutionStatus.Final))
                .isPresent();
        if (atWork) {
            Versioned<LedgerEntry> nothing = new Versioned<>(LedgerEntry.initial(was.target()), Versioned.ABSENT);
            // If there is an entry again, this fails, as it should.
            store.apply(List.of(new StoreWrite.EntryUpdate(nothing, was, now)));
        }
        return Requeue.NEVER;
    }

    private Requeue advanceRunning(
            Versioned<Execution> seen, ExecutionStatus.Running running, Policy rules, Instant now) {
        Observation observed = runner.observe(running.run());
        if (observed instanceof Observation.Suspended suspended) {
            return seen.value().cancelledBy().isPresent()
                    ? completion.cancelBeforeStart(seen, running, suspended, now)
                    : completion.startIfHeld(seen, running, suspended, now);
        } else if (observed instanceof Observation.Running going) {
            seen.value().cancelledBy().ifPresent(by -> runner.stop(running.run(), by));
            boolean known = !going.progress().equals(RunProgress.UNKNOWN);
            boolean changed = known && !going.progress().equals(running.progress());
            return !changed
                            || store.apply(
                                    List.of(new StoreWrite.StatusUpdate(seen, running.withProgress(going.progress()))))
                    ? Requeue.ON_CHANGE
                    : Requeue.IMMEDIATELY;
        }
        return completion.completeEndedRun(seen, running, observed, rules, now);
    }
}
