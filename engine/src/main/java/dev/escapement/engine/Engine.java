package dev.escapement.engine;

import static java.util.Objects.requireNonNull;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.Progress;
import dev.escapement.engine.execution.Status;
import dev.escapement.engine.port.Store;
import dev.escapement.engine.port.Versioned;
import dev.escapement.engine.port.WorkflowRunner;
import dev.escapement.engine.port.WorkflowRunner.Observation;
import dev.escapement.engine.port.Write;
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
 * {@link Admission} for the way in and {@link Ending} for the way out.
 */
public final class Engine {

    private final Store store;
    private final WorkflowRunner runner;
    private final Supplier<Policy> policy;
    private final Admission admission;
    private final Healing healing;
    private final Ending ending;

    /** @param policy asked at every decision, so that a change acts at once */
    public Engine(Store store, WorkflowRunner runner, Supplier<Policy> policy) {
        this.store = requireNonNull(store, "store is null");
        this.runner = requireNonNull(runner, "runner is null");
        this.policy = requireNonNull(policy, "policy is null");
        this.healing = new Healing(store, runner);
        this.admission = new Admission(store, runner, healing);
        this.ending = new Ending(store, runner);
    }

    /** Does for the execution what can be done now. The view may be old. */
    public Next advance(Versioned<Execution> seen, Instant now) {
        Status status = seen.value().status();
        if (status instanceof Status.Pending pending) {
            return admission.advance(seen, pending, policy.get(), now);
        } else if (status instanceof Status.Running running) {
            return advanceRunning(seen, running, policy.get(), now);
        }
        return ending.settle(seen.value(), (Status.Final) status);
    }

    /** Frees the target of an execution that was deleted, or that a reader found missing. */
    public Next heal(Target target, Instant now) {
        Versioned<LedgerEntry> entry = store.entry(target);
        return entry.value() instanceof Held held
                        && store.execution(held.holder().execution()).isEmpty()
                ? healing.heal(entry, held, policy.get(), now)
                : Next.DONE;
    }

    /** Cleans up after an execution that was deleted: stops its run and frees its target, or drops what it prepared. */
    public Next deleted(ExecutionRef gone, Target target, Instant now) {
        if (store.entry(target).value().heldBy(gone).isPresent()) {
            return heal(target, now);
        }
        runner.removeSuspended(gone);
        return Next.DONE;
    }

    /**
     * Somebody took the entry of a target away. Whoever still works on the target holds it as before: to let go of it,
     * there is cancelling.
     *
     * @param was the entry, as it was last seen
     */
    public Next removed(Held was, Instant now) {
        boolean atWork = store.execution(was.holder().execution())
                .filter(holder -> !(holder.value().status() instanceof Status.Final))
                .isPresent();
        if (atWork) {
            Versioned<LedgerEntry> nothing = new Versioned<>(LedgerEntry.fresh(was.target()), Versioned.ABSENT);
            // If there is an entry again, this fails, as it should.
            store.apply(List.of(new Write.Entry(nothing, was, now)));
        }
        return Next.DONE;
    }

    private Next advanceRunning(Versioned<Execution> seen, Status.Running running, Policy rules, Instant now) {
        Observation observed = runner.observe(running.run());
        if (observed instanceof Observation.Suspended suspended) {
            return seen.value().cancelledBy().isPresent()
                    ? ending.withdraw(seen, running, suspended, now)
                    : ending.startIfHeld(seen, running, suspended, now);
        } else if (observed instanceof Observation.Going going) {
            seen.value().cancelledBy().ifPresent(by -> runner.stop(running.run(), by));
            boolean known = !going.progress().equals(Progress.NONE);
            boolean changed = known && !going.progress().equals(running.progress());
            return !changed || store.apply(List.of(new Write.StatusOf(seen, running.at(going.progress()))))
                    ? Next.ON_CHANGE
                    : Next.AGAIN;
        }
        return ending.ended(seen, running, observed, rules, now);
    }
}
