package dev.escapement.engine;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.Status;
import dev.escapement.engine.port.Store;
import dev.escapement.engine.port.Versioned;
import dev.escapement.engine.port.WorkflowRunner;
import dev.escapement.engine.port.WorkflowRunner.Preparation;
import dev.escapement.engine.port.Write;
import dev.escapement.governor.Policy;
import dev.escapement.governor.Target;
import dev.escapement.governor.failure.Failure;
import dev.escapement.governor.gate.Decision;
import dev.escapement.governor.gate.Gate;
import dev.escapement.governor.gate.Request;
import dev.escapement.governor.gate.SkipReason;
import dev.escapement.governor.ledger.Holder;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.ledger.LedgerEntry.Free;
import dev.escapement.governor.ledger.LedgerEntry.Held;
import dev.escapement.governor.ledger.Outcome;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The way in: look, decide, look again, prepare, commit, record, start. Each step finds out whether the one before it
 * still holds, so that whoever comes late can start nothing. The order is proven by the model check of the governor's
 * tests.
 */
final class Admission {

    private final Store store;
    private final WorkflowRunner runner;
    private final Healing healing;

    Admission(Store store, WorkflowRunner runner, Healing healing) {
        this.store = store;
        this.runner = runner;
        this.healing = healing;
    }

    Next advance(Versioned<Execution> seen, Status.Pending pending, Policy policy, Instant now) {
        Execution execution = seen.value();
        Target target;
        try {
            target = Target.parse(execution.spec().targetResource());
        } catch (IllegalArgumentException refused) {
            String problem = String.valueOf(refused.getMessage());
            return end(seen, pending.fail(Failures.invalid(execution, problem, now), new Outcome.Withdrawn()));
        }
        if (execution.cancelledBy().isPresent()) {
            Failure cancelled =
                    Failures.cancelled(execution, execution.cancelledBy().get(), now);
            return end(seen, pending.fail(cancelled, new Outcome.Withdrawn()));
        }
        Versioned<LedgerEntry> entry = store.entry(target);
        Optional<Held> own = entry.value().heldBy(execution.ref());
        return own.isPresent()
                ? resume(seen, pending, own.get(), policy, now)
                : decide(seen, pending, entry, policy, now);
    }

    /** The ledger was taken, the status does not say so: a crash, or another engine, was in between. */
    private Next resume(Versioned<Execution> seen, Status.Pending pending, Held held, Policy policy, Instant now) {
        Execution execution = seen.value();
        Preparation preparation = runner.prepare(execution);
        String named = held.holder().run();
        if (preparation instanceof Preparation.Ready ready && ready.run().uid().equals(named)) {
            Status running =
                    pending.run(ready.run(), held.epoch(), held.holder().since(), ready.progress());
            return store.apply(List.of(new Write.StatusOf(seen, running))) ? start(ready) : Next.AGAIN;
        }
        // The run that the ledger names does not exist, so it never started and never will.
        Failure failure = preparation instanceof Preparation.Refused refused
                ? Failures.of(execution, refused.facts())
                : Failures.neverStarted(execution, now);
        return end(
                seen, pending.fail(failure, held.couldNotStart(failure.reason().name(), failure.failedAt(), policy)));
    }

    private Next decide(
            Versioned<Execution> seen,
            Status.Pending pending,
            Versioned<LedgerEntry> entry,
            Policy policy,
            Instant now) {
        Execution execution = seen.value();
        LedgerEntry considered = entry.value();
        if (considered instanceof Held held) {
            Optional<Versioned<Execution>> holder =
                    store.execution(held.holder().execution());
            if (holder.isEmpty()) {
                // While the run of a deleted holder is being stopped, the target is as busy as with any other holder.
                if (healing.heal(entry, held, policy, now) != Next.ON_CHANGE) {
                    return Next.AGAIN;
                }
                // Nobody is told that a target is busy with what everybody can see is over.
            } else if (holder.get().value().status() instanceof Status.Final ended) {
                considered = held.release(ended.outcome(), ended.completionTime());
            }
        }
        Request request = new Request(execution.ref(), execution.workflow(), considered.target());
        Decision decision = Gate.decide(request, considered, policy, now);
        if (decision instanceof Decision.Skip skip) {
            return isFinal(skip) && isOld(entry) ? Next.AGAIN : end(seen, pending.skip(details(skip)));
        }
        return considered instanceof Free free ? admit(execution, entry, free, policy, now) : Next.AGAIN;
    }

    /** Whoever has just cleared the target must not be told to clear it. */
    private static boolean isFinal(Decision.Skip skip) {
        return skip.reason() == SkipReason.PreviousExecutionFailed || skip.reason() == SkipReason.ExhaustedRetries;
    }

    private boolean isOld(Versioned<LedgerEntry> entry) {
        return !store.currentEntry(entry.value().target()).version().equals(entry.version());
    }

    private Next admit(Execution execution, Versioned<LedgerEntry> entry, Free free, Policy policy, Instant now) {
        // The second look, after the ledger: what was decided on may be an old view of an execution that is long over.
        Optional<Versioned<Execution>> fresh = store.execution(execution.ref());
        if (fresh.isEmpty()) {
            return Next.DONE;
        }
        boolean cancelled = fresh.get().value().cancelledBy().isPresent();
        if (cancelled || !(fresh.get().value().status() instanceof Status.Pending pending)) {
            return Next.AGAIN;
        }
        Preparation preparation = runner.prepare(execution);
        if (preparation instanceof Preparation.Ready ready) {
            Held held = free.acquire(
                    holder(execution, ready.run().uid(), ready.run().name(), now));
            Status running = pending.run(ready.run(), held.epoch(), now, ready.progress());
            boolean committed =
                    store.apply(List.of(new Write.Entry(entry, held, now), new Write.StatusOf(fresh.get(), running)));
            return committed ? start(ready) : Next.AGAIN;
        }
        Held held = free.acquire(holder(execution, "", "", now));
        Failure failure = Failures.of(execution, ((Preparation.Refused) preparation).facts());
        Status failed =
                pending.fail(failure, held.couldNotStart(failure.reason().name(), failure.failedAt(), policy));
        store.apply(List.of(new Write.Entry(entry, held, now), new Write.StatusOf(fresh.get(), failed)));
        return Next.AGAIN;
    }

    private Next start(Preparation.Ready ready) {
        return runner.start(ready.run(), ready.version()) ? Next.ON_CHANGE : Next.AGAIN;
    }

    private Next end(Versioned<Execution> seen, Status.Final ended) {
        store.apply(List.of(new Write.StatusOf(seen, ended)));
        // Once more in any case: it may hold its target, or have a run that nobody will start.
        return Next.AGAIN;
    }

    private static Holder holder(Execution execution, String run, String runName, Instant now) {
        return new Holder(execution.ref(), execution.workflow(), run, runName, now);
    }

    private static Status.SkipDetails details(Decision.Skip skip) {
        return new Status.SkipDetails(
                skip.reason(),
                skip.message(),
                skip.question().now(),
                skip.conflicting(),
                skip.recent(),
                skip.allowedAt());
    }
}
