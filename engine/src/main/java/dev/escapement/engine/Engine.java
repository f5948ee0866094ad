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
import dev.escapement.governor.failure.Failure;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.ledger.LedgerEntry.Held;
import dev.escapement.governor.ledger.Outcome;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Carries an execution on. It keeps nothing between two calls, so that it is right after a crash between any two lines,
 * with an old view, and when two engines do the same at once. The order of the writes is what makes it so: see
 * {@link Admission} for the way in; here is the way out, status first, then release.
 */
public final class Engine {

    private final Store store;
    private final WorkflowRunner runner;
    private final Supplier<Policy> policy;
    private final Admission admission;
    private final Healing healing;

    /** @param policy asked at every decision, so that a change acts at once */
    public Engine(Store store, WorkflowRunner runner, Supplier<Policy> policy) {
        this.store = requireNonNull(store, "store is null");
        this.runner = requireNonNull(runner, "runner is null");
        this.policy = requireNonNull(policy, "policy is null");
        this.healing = new Healing(store, runner);
        this.admission = new Admission(store, runner, healing);
    }

    /** Does for the execution what can be done now. The view may be old. */
    public Next advance(Versioned<Execution> seen, Instant now) {
        Status status = seen.value().status();
        if (status instanceof Status.Pending pending) {
            return admission.advance(seen, pending, policy.get(), now);
        } else if (status instanceof Status.Running running) {
            return advanceRunning(seen, running, policy.get(), now);
        }
        return settle(seen.value(), (Status.Final) status);
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

    private Next advanceRunning(Versioned<Execution> seen, Status.Running running, Policy rules, Instant now) {
        Observation observed = runner.observe(running.run());
        if (observed instanceof Observation.Suspended suspended) {
            return seen.value().cancelledBy().isPresent()
                    ? withdraw(seen, running, suspended, now)
                    : startIfHeld(seen.value(), running, suspended);
        } else if (observed instanceof Observation.Going going) {
            seen.value().cancelledBy().ifPresent(by -> runner.stop(running.run(), by));
            boolean known = !going.progress().equals(Progress.NONE);
            boolean changed = known && !going.progress().equals(running.progress());
            return !changed || store.apply(List.of(new Write.StatusOf(seen, running.at(going.progress()))))
                    ? Next.ON_CHANGE
                    : Next.AGAIN;
        } else if (observed instanceof Observation.Succeeded succeeded) {
            return finish(seen, running.complete(succeeded.progress(), succeeded.at()));
        }
        Failure failure = observed instanceof Observation.Failed failed
                ? Failures.of(seen.value(), failed.facts())
                : Failures.runDeleted(seen.value(), running, now);
        return fail(seen, running, failure, rules);
    }

    /** Somebody changed their mind before the run was started: then it is not. */
    private Next withdraw(
            Versioned<Execution> seen, Status.Running running, Observation.Suspended suspended, Instant now) {
        if (!runner.remove(running.run(), suspended.version())) {
            return Next.AGAIN;
        }
        String by = seen.value().cancelledBy().orElseThrow();
        return finish(seen, running.fail(Failures.cancelled(seen.value(), by, now), new Outcome.Withdrawn()));
    }

    /** The run was recorded and not started: a crash, or another engine, was in between. */
    private Next startIfHeld(Execution execution, Status.Running running, Observation.Suspended suspended) {
        Optional<Held> held = held(execution);
        if (held.filter(mine -> mine.holder().run().equals(running.run().uid())).isEmpty()) {
            return Next.AGAIN;
        }
        return runner.start(running.run(), suspended.version()) ? Next.ON_CHANGE : Next.AGAIN;
    }

    private Next fail(Versioned<Execution> seen, Status.Running running, Failure failure, Policy rules) {
        if (failure.wasExecutionFailure()) {
            Outcome during = new Outcome.FailedDuringExecution(failure.reason().name());
            return finish(seen, running.fail(failure, during));
        }
        // The number and the deadline come from the ledger: without it there is no saying how this counts.
        return held(seen.value())
                .map(held -> finish(
                        seen,
                        running.fail(
                                failure, held.couldNotStart(failure.reason().name(), failure.failedAt(), rules))))
                .orElse(Next.AGAIN);
    }

    private Next finish(Versioned<Execution> seen, Status.Final ended) {
        Versioned<LedgerEntry> entry =
                store.entry(Target.parse(seen.value().spec().targetResource()));
        Write status = new Write.StatusOf(seen, ended);
        boolean written = entry.value()
                .heldBy(seen.value().ref())
                .map(held -> store.apply(List.of(status, release(entry, held, ended))))
                .orElseGet(() -> store.apply(List.of(status)));
        // Even if all was written: an old view of the entry may have hidden that the target is held.
        return written && entry.value().heldBy(seen.value().ref()).isPresent() ? Next.DONE : Next.AGAIN;
    }

    /** Final: whatever it still holds is released, whatever it prepared in vain is removed. */
    private Next settle(Execution execution, Status.Final ended) {
        Optional<Target> target = Target.parsed(execution.spec().targetResource());
        if (target.isEmpty()) {
            return Next.DONE;
        }
        Versioned<LedgerEntry> entry = store.entry(target.get());
        Optional<Held> held = entry.value().heldBy(execution.ref());
        if (held.isPresent()) {
            return store.apply(List.of(release(entry, held.get(), ended))) ? Next.DONE : Next.AGAIN;
        }
        runner.removeSuspended(execution.ref());
        return Next.DONE;
    }

    private static Write release(Versioned<LedgerEntry> entry, Held held, Status.Final ended) {
        return new Write.Entry(entry, held.release(ended.outcome(), ended.completionTime()), ended.completionTime());
    }

    private Optional<Held> held(Execution execution) {
        return Target.parsed(execution.spec().targetResource())
                .flatMap(target -> store.entry(target).value().heldBy(execution.ref()));
    }
}
