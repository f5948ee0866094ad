package dev.escapement.engine;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionStatus;
import dev.escapement.engine.execution.ExecutionStatus.Final;
import dev.escapement.engine.execution.ExecutionStatus.Pending;
import dev.escapement.engine.execution.ExecutionStatus.PendingReason;
import dev.escapement.engine.execution.RunProgress;
import dev.escapement.engine.execution.RunRef;
import dev.escapement.engine.port.ExecutionStore;
import dev.escapement.engine.port.ExecutorUnavailableException;
import dev.escapement.engine.port.StoreWrite.EntryUpdate;
import dev.escapement.engine.port.StoreWrite.StatusUpdate;
import dev.escapement.engine.port.Versioned;
import dev.escapement.engine.port.WorkflowRunner;
import dev.escapement.engine.port.WorkflowRunner.Observation;
import dev.escapement.engine.port.WorkflowRunner.Preparation;
import dev.escapement.governor.Policy;
import dev.escapement.governor.Target;
import dev.escapement.governor.failure.Failure;
import dev.escapement.governor.gate.Gate;
import dev.escapement.governor.gate.GateDecision;
import dev.escapement.governor.gate.GateInput;
import dev.escapement.governor.gate.GateRequest;
import dev.escapement.governor.gate.Obstacle;
import dev.escapement.governor.ledger.EndedExecution;
import dev.escapement.governor.ledger.ExecutionOutcome.Withdrawn;
import dev.escapement.governor.ledger.Holder;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.ledger.LedgerEntry.Free;
import dev.escapement.governor.ledger.LedgerEntry.Held;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Admits a pending execution: read, validate, decide, read again, prepare, commit, record, start. Each write requires
 * the versions that were read before it, so that a late engine can start nothing. The model check in the governor's
 * tests verifies the order.
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
        Versioned<LedgerEntry> entry = store.readEntry(target);
        RequestValidator validator = new RequestValidator(store, runner, policy, now);
        Optional<Requeue> counted = validator.resume(seen, pending, entry.value());
        if (counted.isPresent()) {
            return counted.get();
        }
        if (execution.cancelledBy().isPresent()) {
            String by = execution.cancelledBy().get();
            return writeFinalStatus(
                    seen, pending.toFailed(FailureFactory.cancelled(execution, by, now), new Withdrawn()));
        }
        Optional<Held> own = entry.value().heldBy(execution.ref());
        if (own.isPresent()) {
            return resume(seen, pending, own.get());
        }
        Optional<Requeue> rejected = validator.reject(seen, entry);
        if (rejected.isPresent()) {
            return rejected.get();
        }
        Optional<EndedExecution> ended = entry.value()
                .memory()
                .endedExecutions()
                .filter(past -> past.execution().hasUid(execution.ref().uid()))
                .findFirst();
        return ended.isPresent() ? failEnded(seen, pending, ended.get()) : decide(seen, pending, entry);
    }

    /**
     * The ledger remembers the end of this execution, so its status was removed from outside: it must not run again.
     */
    private Requeue failEnded(Versioned<Execution> seen, Pending pending, EndedExecution ended) {
        Optional<Versioned<Execution>> fresh = store.readExecution(seen.value().ref());
        // An execution that is read as Pending after its end is most often a stale read.
        if (fresh.isEmpty() || !fresh.get().version().equals(seen.version())) {
            return Requeue.IMMEDIATELY;
        }
        Failure failure = FailureFactory.statusRemoved(seen.value(), ended);
        return writeFinalStatus(seen, pending.toFailed(failure, new Withdrawn()));
    }

    /** The target is acquired, but the status is still Pending: a crash or another engine came in between. */
    private Requeue resume(Versioned<Execution> seen, Pending pending, Held held) {
        Execution execution = seen.value();
        if (store.canLoseEntries() && !isConfirmed(execution, held)) {
            return Requeue.IMMEDIATELY;
        }
        if (hasStarted(held.holder())) {
            // Only a recorded run is started, so its status was removed from outside.
            Holder holder = held.holder();
            RunRef run = new RunRef(holder.runName(), holder.runUid());
            ExecutionStatus running = pending.toRunning(run, held.epoch(), holder.since(), RunProgress.UNKNOWN);
            store.apply(List.of(new StatusUpdate(seen, running)));
            return Requeue.IMMEDIATELY;
        }
        Preparation preparation = prepareUntil(execution, held.holder().since().plus(policy.executorTimeout()));
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

    private boolean hasStarted(Holder holder) {
        if (holder.runUid().isEmpty()) {
            return false;
        }
        Observation observed = runner.observe(new RunRef(holder.runName(), holder.runUid()));
        return !(observed instanceof Observation.Suspended || observed instanceof Observation.Missing);
    }

    /** The engine that acquired the target may have been killed before its check. */
    private boolean isConfirmed(Execution execution, Held held) {
        LedgerEntry current = store.readCurrentEntry(held.target()).value();
        return current.heldBy(execution.ref()).isPresent() && runCheck().isOnlyRun(held);
    }

    private UnrecordedRunCheck runCheck() {
        return new UnrecordedRunCheck(store, runner, policy, now);
    }

    private Requeue decide(Versioned<Execution> seen, Pending pending, Versioned<LedgerEntry> entry) {
        LedgerEntry considered = entry.value();
        if (considered instanceof Held held) {
            Optional<Versioned<Execution>> holder =
                    store.readExecution(held.holder().execution());
            if (holder.isEmpty()) {
                // While the run of a deleted holder is being stopped, the target is busy as with any other holder.
                var completion = new ExecutionCompletion(store, runner, policy, now);
                Requeue next = completion.recoverLock(entry, held);
                if (next == Requeue.IMMEDIATELY || next == Requeue.NEVER) {
                    return Requeue.IMMEDIATELY;
                }
            } else if (holder.get().value().status() instanceof Final ended) {
                // A finished holder that is not released yet does not make the target busy.
                considered = ended.release(held);
            }
        }
        return decide(seen, pending, entry, considered);
    }

    /** Decides on the entry as it is after the release of a finished holder. */
    Requeue decide(Versioned<Execution> seen, Pending pending, Versioned<LedgerEntry> entry, LedgerEntry considered) {
        Execution execution = seen.value();
        GateDecision decision = decide(execution, considered, entry);
        if (decision instanceof GateDecision.Wait wait) {
            return recordWait(seen, pending, wait);
        } else if (decision instanceof GateDecision.Skip skip) {
            // To ask for a clearance needs the current entry: right after one, nothing must ask for another.
            boolean stale = !skip.reason().isTemporary()
                    && !store.readCurrentEntry(considered.target()).version().equals(entry.version());
            return stale ? Requeue.IMMEDIATELY : writeFinalStatus(seen, pending.toSkipped(skipDetails(skip)));
        }
        return considered instanceof Free
                ? admit(execution, entry, (GateDecision.Admit) decision)
                : Requeue.IMMEDIATELY;
    }

    private GateDecision decide(Execution execution, LedgerEntry considered, Versioned<LedgerEntry> entry) {
        GateRequest request = execution.gateRequest(considered.target());
        GateDecision decision = Gate.decide(request, considered, policy, now);
        // Nothing waits for a target of which the ledger knows nothing, except what is being decided right now.
        boolean mayBeBehind = decision instanceof GateDecision.Admit
                && (request.waitTerms().isPresent() || !entry.version().equals(Versioned.ABSENT));
        return mayBeBehind || decision instanceof GateDecision.Wait
                ? Gate.decide(new GateInput(request, considered, policy, now, store.readWaiting(considered.target())))
                : decision;
    }

    /** Writes once that and why the execution waits; what it waits for later is not written. */
    private Requeue recordWait(Versioned<Execution> seen, Pending pending, GateDecision.Wait wait) {
        boolean recorded = pending.details()
                .filter(details -> details.reason() == PendingReason.Waiting)
                .isPresent();
        Pending waiting = pending.because(PendingReason.Waiting, wait.message(), now, Optional.of(wait.until()));
        return recorded || store.apply(List.of(new StatusUpdate(seen, waiting)))
                ? Requeue.at(wait.decideAgainAt())
                : Requeue.IMMEDIATELY;
    }

    private Requeue admit(Execution execution, Versioned<LedgerEntry> entry, GateDecision.Admit admission) {
        // Read again, after the ledger: the decision may be based on a stale read of a finished execution.
        Optional<Versioned<Execution>> fresh = store.readExecution(execution.ref());
        if (fresh.isEmpty()) {
            return Requeue.NEVER;
        }
        boolean cancelled = fresh.get().value().cancelledBy().isPresent();
        if (cancelled || !(fresh.get().value().status() instanceof Pending pending)) {
            return Requeue.IMMEDIATELY;
        }
        Preparation preparation;
        try {
            preparation = runner.prepare(execution);
        } catch (ExecutorUnavailableException unavailable) {
            ExecutorDelay delay = new ExecutorDelay(store, policy, now);
            if (!delay.isOver(pending)) {
                return delay.postpone(fresh.get(), pending, unavailable);
            }
            preparation = ExecutorDelay.refusal(unavailable, now);
        }
        if (preparation instanceof Preparation.Ready ready) {
            Held held = admission.acquire(ready.run().uid(), ready.run().name());
            ExecutionStatus running = pending.toRunning(ready.run(), held.epoch(), now, ready.progress());
            return acquire(entry, held, new StatusUpdate(fresh.get(), running))
                    ? start(ready, held.epoch())
                    : Requeue.IMMEDIATELY;
        }
        Held held = admission.acquire("", "");
        Failure failure = FailureFactory.classify(execution, ((Preparation.Refused) preparation).facts());
        ExecutionStatus failed = pending.toFailed(failure, FailureFactory.outcome(failure, held, policy));
        acquire(entry, held, new StatusUpdate(fresh.get(), failed));
        return Requeue.IMMEDIATELY;
    }

    private Preparation prepareUntil(Execution execution, Instant limit) {
        try {
            return runner.prepare(execution);
        } catch (ExecutorUnavailableException unavailable) {
            if (now.isBefore(limit)) {
                throw unavailable;
            }
            return ExecutorDelay.refusal(unavailable, now);
        }
    }

    /** Acquires the target and records that, in one step unless the target may have runs that no entry shows. */
    private boolean acquire(Versioned<LedgerEntry> entry, Held held, StatusUpdate status) {
        EntryUpdate acquisition = new EntryUpdate(entry, held, now);
        return runCheck().isNeeded(held)
                ? store.apply(List.of(acquisition)) && runCheck().isOnlyRun(held) && store.apply(List.of(status))
                : store.apply(List.of(acquisition, status));
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
