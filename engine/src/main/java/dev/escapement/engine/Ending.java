package dev.escapement.engine;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.Status;
import dev.escapement.engine.port.Store;
import dev.escapement.engine.port.Versioned;
import dev.escapement.engine.port.WorkflowRunner;
import dev.escapement.engine.port.WorkflowRunner.Observation;
import dev.escapement.engine.port.Write;
import dev.escapement.governor.Policy;
import dev.escapement.governor.Target;
import dev.escapement.governor.failure.Failure;
import dev.escapement.governor.ledger.Holder;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.ledger.LedgerEntry.Held;
import dev.escapement.governor.ledger.Outcome;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The way out of an execution that has taken its target: status first, then release. */
final class Ending {

    private final Store store;
    private final WorkflowRunner runner;

    Ending(Store store, WorkflowRunner runner) {
        this.store = store;
        this.runner = runner;
    }

    /** Its run is over, or gone. */
    Next ended(Versioned<Execution> seen, Status.Running running, Observation observed, Policy rules, Instant now) {
        Versioned<LedgerEntry> entry = ownEntry(seen.value());
        if (isMissing(entry)) {
            return reclaim(entry, seen.value(), running);
        }
        if (observed instanceof Observation.Succeeded succeeded) {
            return finish(seen, entry, running.complete(succeeded.progress(), succeeded.at()));
        }
        Failure failure = observed instanceof Observation.Failed failed
                ? Failures.of(seen.value(), failed.facts().endedNotBefore(running.startTime()))
                : Failures.runDeleted(seen.value(), running, now);
        Status.Running last = observed instanceof Observation.Failed failed
                ? running.at(Failures.reached(failed.facts(), running.progress()))
                : running;
        if (failure.wasExecutionFailure()) {
            Outcome during = new Outcome.FailedDuringExecution(failure.reason().name());
            return finish(seen, entry, last.fail(failure, during));
        }
        // The number and the deadline come from the ledger. Of a target that is somebody else's nothing is counted.
        Outcome before = entry.value()
                .heldBy(seen.value().ref())
                .<Outcome>map(held -> held.couldNotStart(failure.reason().name(), failure.failedAt(), rules))
                .orElseGet(Outcome.Withdrawn::new);
        return finish(seen, entry, last.fail(failure, before));
    }

    /** Somebody changed their mind before the run was started: then it is not. */
    Next withdraw(Versioned<Execution> seen, Status.Running running, Observation.Suspended suspended, Instant now) {
        String by = seen.value().cancelledBy().orElseThrow();
        return drop(seen, running, suspended, Failures.cancelled(seen.value(), by, now));
    }

    /** The run was recorded and not started: a crash, or another engine, was in between. */
    Next startIfHeld(Versioned<Execution> seen, Status.Running running, Observation.Suspended suspended, Instant now) {
        Versioned<LedgerEntry> entry = ownEntry(seen.value());
        boolean mine = entry.value()
                .heldBy(seen.value().ref())
                .filter(held -> held.holder().run().equals(running.run().uid()))
                .isPresent();
        if (mine) {
            return runner.start(running.run(), suspended.version(), running.epoch()) ? Next.ON_CHANGE : Next.AGAIN;
        } else if (isMissing(entry)) {
            return reclaim(entry, seen.value(), running);
        }
        return drop(seen, running, suspended, Failures.dispossessed(seen.value(), now));
    }

    /** Final: whatever it still holds is released, whatever it prepared in vain is removed. */
    Next settle(Execution execution, Status.Final ended) {
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

    private Next drop(
            Versioned<Execution> seen, Status.Running running, Observation.Suspended suspended, Failure failure) {
        return runner.remove(running.run(), suspended.version())
                ? finish(seen, entry(seen.value()), running.fail(failure, new Outcome.Withdrawn()))
                : Next.AGAIN;
    }

    private Next finish(Versioned<Execution> seen, Versioned<LedgerEntry> entry, Status.Final ended) {
        Write status = new Write.StatusOf(seen, ended);
        boolean written = entry.value()
                .heldBy(seen.value().ref())
                .map(held -> store.apply(List.of(status, release(entry, held, ended))))
                .orElseGet(() -> store.apply(List.of(status)));
        // Even if all was written: an old view of the entry may have hidden that the target is held.
        return written && entry.value().heldBy(seen.value().ref()).isPresent() ? Next.DONE : Next.AGAIN;
    }

    private static Write release(Versioned<LedgerEntry> entry, Held held, Status.Final ended) {
        return new Write.Entry(entry, held.release(ended.outcome(), ended.completionTime()), ended.completionTime());
    }

    /**
     * The entry was taken away while nobody watched. It is taken back, so that the end has a place to be remembered; if
     * there is one again by now, that fails, and the next look sees more.
     */
    private Next reclaim(Versioned<LedgerEntry> missing, Execution execution, Status.Running running) {
        boolean stillRuns = store.execution(execution.ref())
                .filter(now -> now.value().status() instanceof Status.Running)
                .isPresent();
        if (stillRuns) {
            Holder holder = new Holder(
                    execution.ref(),
                    execution.workflow(),
                    running.run().uid(),
                    running.run().name(),
                    running.startTime());
            LedgerEntry nothing = missing.value();
            Held again = new Held(nothing.target(), running.epoch(), nothing.memory(), nothing.clearance(), holder);
            store.apply(List.of(new Write.Entry(missing, again, running.startTime())));
        }
        return Next.AGAIN;
    }

    private static boolean isMissing(Versioned<LedgerEntry> entry) {
        return entry.version().equals(Versioned.ABSENT);
    }

    /** The entry that should name this execution. If a view does not show that, it is more likely old than right. */
    private Versioned<LedgerEntry> ownEntry(Execution execution) {
        Versioned<LedgerEntry> seen = entry(execution);
        return seen.value().heldBy(execution.ref()).isPresent()
                ? seen
                : store.currentEntry(seen.value().target());
    }

    private Versioned<LedgerEntry> entry(Execution execution) {
        return store.entry(Target.parse(execution.spec().targetResource()));
    }
}
