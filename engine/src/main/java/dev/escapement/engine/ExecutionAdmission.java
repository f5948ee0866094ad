package dev.escapement.engine;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionStatus;
import dev.escapement.engine.execution.ExecutionStatus.Final;
import dev.escapement.engine.execution.ExecutionStatus.Pending;
import dev.escapement.engine.port.ExecutionStore;
import dev.escapement.engine.port.StoreWrite.EntryUpdate;
import dev.escapement.engine.port.StoreWrite.StatusUpdate;
import dev.escapement.engine.port.Versioned;
import dev.escapement.engine.port.WorkflowRunner;
import dev.escapement.engine.port.WorkflowRunner.Preparation;
import dev.escapement.governor.Policy;
import dev.escapement.governor.Target;
import dev.escapement.governor.failure.Failure;
import dev.escapement.governor.gate.Gate;
import dev.escapement.governor.gate.GateDecision;
import dev.escapement.governor.gate.GateRequest;
import dev.escapement.governor.gate.Obstacle;
import dev.escapement.governor.ledger.ExecutionOutcome.Withdrawn;
import dev.escapement.governor.ledger.Holder;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.ledger.LedgerEntry.Free;
import dev.escapement.governor.ledger.LedgerEntry.Held;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Admits a pending execution: read, decide, read again, prepare, commit, record, start. Each write requires the
 * versions that were read before it, so that a late engine can start nothing. The model check in the governor's tests
 * verifies the order.
 */
record ExecutionAdmission(ExecutionStore store, WorkflowRunner runner, Policy policy, Instant now) {

    Requeue advance(Versioned<Execution> seen, Pending pending) {
        Execution execution = seen.value();
        Target target;
        try {
            target = Target.parse(execution.spec().targetResource());
        } catch (IllegalArgumentException invalid) {
            String problem = String.valueOf(invalid.getMessage());
            return writeFinalStatus(
                    seen, pending.toFailed(FailureFactory.invalidSpec(execution, problem, now), new Withdrawn()));
        }
        if (execution.cancelledBy().isPresent()) {
            String by = execution.cancelledBy().get();
            return writeFinalStatus(
                    seen, pending.toFailed(FailureFactory.cancelled(execution, by, now), new Withdrawn()));
        }
        Versioned<LedgerEntry> entry = store.readEntry(target);
        Optional<Held> own = entry.value().heldBy(execution.ref());
        return own.isPresent() ? resume(seen, pending, own.get()) : decide(seen, pending, entry);
    }

    /** The target is acquired, but the status is still Pending: a crash or another engine came in between. */
    private Requeue resume(Versioned<Execution> seen, Pending pending, Held held) {
        Execution execution = seen.value();
        Preparation preparation = runner.prepare(execution);
        String named = held.holder().runUid();
        if (preparation instanceof Preparation.Ready ready && ready.run().uid().equals(named)) {
            ExecutionStatus running =
                    pending.toRunning(ready.run(), held.epoch(), held.holder().since(), ready.progress());
            return store.apply(List.of(new StatusUpdate(seen, running)))
                    ? start(ready, held.epoch())
                    : Requeue.IMMEDIATELY;
        }
        // The run that the ledger names does not exist, so it never started and never will.
        Failure failure = preparation instanceof Preparation.Refused refused
                ? FailureFactory.classify(execution, refused.facts())
                : FailureFactory.neverStarted(execution, "its prepared run was removed before it was started", now);
        return writeFinalStatus(seen, pending.toFailed(failure, FailureFactory.outcome(failure, held, policy)));
    }

    private Requeue decide(Versioned<Execution> seen, Pending pending, Versioned<LedgerEntry> entry) {
        Execution execution = seen.value();
        LedgerEntry considered = entry.value();
        if (considered instanceof Held held) {
            Optional<Versioned<Execution>> holder =
                    store.readExecution(held.holder().execution());
            if (holder.isEmpty()) {
                // While the run of a deleted holder is being stopped, the target is busy as with any other holder.
                var completion = new ExecutionCompletion(store, runner, policy, now);
                if (completion.recoverLock(entry, held) != Requeue.ON_CHANGE) {
                    return Requeue.IMMEDIATELY;
                }
            } else if (holder.get().value().status() instanceof Final ended) {
                // A finished holder that is not released yet does not make the target busy.
                considered = ended.release(held);
            }
        }
        GateRequest request = new GateRequest(execution.ref(), execution.workflowId(), considered.target());
        GateDecision decision = Gate.decide(request, considered, policy, now);
        if (decision instanceof GateDecision.Skip skip) {
            // To ask for a clearance needs the current entry: right after one, nothing must ask for another.
            boolean stale = !skip.reason().isTemporary()
                    && !store.readCurrentEntry(considered.target()).version().equals(entry.version());
            return stale ? Requeue.IMMEDIATELY : writeFinalStatus(seen, pending.toSkipped(skipDetails(skip)));
        }
        return considered instanceof Free free ? admit(execution, entry, free) : Requeue.IMMEDIATELY;
    }

    private Requeue admit(Execution execution, Versioned<LedgerEntry> entry, Free free) {
        // Read again, after the ledger: the decision may be based on a stale read of a finished execution.
        Optional<Versioned<Execution>> fresh = store.readExecution(execution.ref());
        if (fresh.isEmpty()) {
            return Requeue.NEVER;
        }
        boolean cancelled = fresh.get().value().cancelledBy().isPresent();
        if (cancelled || !(fresh.get().value().status() instanceof Pending pending)) {
            return Requeue.IMMEDIATELY;
        }
        Preparation preparation = runner.prepare(execution);
        if (preparation instanceof Preparation.Ready ready) {
            Held held = free.acquire(execution.asHolder(ready.run(), now));
            ExecutionStatus running = pending.toRunning(ready.run(), held.epoch(), now, ready.progress());
            boolean committed =
                    store.apply(List.of(new EntryUpdate(entry, held, now), new StatusUpdate(fresh.get(), running)));
            return committed ? start(ready, held.epoch()) : Requeue.IMMEDIATELY;
        }
        Held held = free.acquire(new Holder(execution.ref(), execution.workflowId(), "", "", now));
        Failure failure = FailureFactory.classify(execution, ((Preparation.Refused) preparation).facts());
        ExecutionStatus failed = pending.toFailed(failure, FailureFactory.outcome(failure, held, policy));
        store.apply(List.of(new EntryUpdate(entry, held, now), new StatusUpdate(fresh.get(), failed)));
        return Requeue.IMMEDIATELY;
    }

    private Requeue start(Preparation.Ready ready, long epoch) {
        return runner.start(ready.run(), ready.version(), epoch) ? Requeue.ON_CHANGE : Requeue.IMMEDIATELY;
    }

    private Requeue writeFinalStatus(Versioned<Execution> seen, Final ended) {
        store.apply(List.of(new StatusUpdate(seen, ended)));
        // Requeue in any case: it may hold its target, or have a suspended run to remove.
        return Requeue.IMMEDIATELY;
    }

    private static ExecutionStatus.SkipDetails skipDetails(GateDecision.Skip skip) {
        Obstacle cause = skip.obstacle();
        Instant skippedAt = skip.input().now();
        return new ExecutionStatus.SkipDetails(
                skip.reason(), skip.message(), skippedAt, cause.holder(), cause.endedExecution(), skip.allowedAt());
    }
}
