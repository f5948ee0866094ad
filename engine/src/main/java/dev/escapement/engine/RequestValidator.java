package dev.escapement.engine;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionStatus.Failed;
import dev.escapement.engine.execution.ExecutionStatus.Pending;
import dev.escapement.engine.port.ExecutionStore;
import dev.escapement.engine.port.StoreWrite.EntryUpdate;
import dev.escapement.engine.port.StoreWrite.StatusUpdate;
import dev.escapement.engine.port.Versioned;
import dev.escapement.engine.port.WorkflowRunner;
import dev.escapement.governor.Policy;
import dev.escapement.governor.failure.Failure;
import dev.escapement.governor.failure.FailureReason;
import dev.escapement.governor.ledger.ExecutionOutcome.FailedBeforeExecution;
import dev.escapement.governor.ledger.FailureStreak;
import dev.escapement.governor.ledger.LedgerEntry;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Fails pending executions whose request is invalid, before the gate and whatever state their target is in. No lock is
 * acquired: one compare-and-set counts the failure in the ledger, and then the status is written.
 *
 * <p>Each is counted once, in spite of crashes. The ledger names the last invalid request of a workflow; until the
 * status of that execution is written, nothing replaces it there. So an execution is counted if the ledger names it, or
 * if it has a final status, which is read after the ledger.
 */
record RequestValidator(ExecutionStore store, WorkflowRunner runner, Policy policy, Instant now) {

    /** Writes the final status if the ledger has counted the execution as invalid; empty if it has not. */
    Optional<Requeue> resume(Versioned<Execution> seen, Pending pending, LedgerEntry entry) {
        Execution execution = seen.value();
        return entry.invalidRequestOutcome(execution.ref(), execution.workflowId())
                .map(counted -> writeStatus(seen, pending, counted));
    }

    /** Counts the execution and fails it if its request is invalid; empty if it is valid. */
    Optional<Requeue> reject(Versioned<Execution> seen, Versioned<LedgerEntry> entry) {
        return runner.validate(seen.value()).map(problem -> reject(seen.value(), entry));
    }

    private Requeue reject(Execution execution, Versioned<LedgerEntry> entry) {
        // Read again, after the ledger: it may have been counted and finished, and replaced in the ledger since.
        Optional<Versioned<Execution>> fresh = store.readExecution(execution.ref());
        if (fresh.isEmpty()) {
            return Requeue.NEVER;
        }
        boolean cancelled = fresh.get().value().cancelledBy().isPresent();
        if (cancelled || !(fresh.get().value().status() instanceof Pending pending)) {
            return Requeue.IMMEDIATELY;
        }
        Optional<Versioned<Execution>> unfinished = findUnfinished(execution.workflowId(), entry.value());
        if (unfinished.isPresent()) {
            // A crash or a slow engine left the last counted execution without its status: write it first.
            resume(unfinished.get(), (Pending) unfinished.get().value().status(), entry.value());
            return Requeue.IMMEDIATELY;
        }
        String reason = FailureReason.ValidationError.name();
        LedgerEntry counted =
                entry.value().recordInvalidRequest(execution.ref(), execution.workflowId(), reason, now, policy);
        FailedBeforeExecution outcome = counted.invalidRequestOutcome(execution.ref(), execution.workflowId())
                .orElseThrow();
        store.apply(List.of(
                new EntryUpdate(entry, counted, now),
                new StatusUpdate(fresh.get(), failed(fresh.get().value(), pending, outcome))));
        return Requeue.IMMEDIATELY;
    }

    /** Returns the last execution that was counted for the workflow if its status is not written. */
    private Optional<Versioned<Execution>> findUnfinished(String workflow, LedgerEntry entry) {
        return entry.memory()
                .invalidRequests(workflow)
                .map(FailureStreak::last)
                .flatMap(last -> store.readExecution(last.execution()))
                .filter(last -> last.value().status() instanceof Pending);
    }

    private Requeue writeStatus(Versioned<Execution> seen, Pending pending, FailedBeforeExecution counted) {
        store.apply(List.of(new StatusUpdate(seen, failed(seen.value(), pending, counted))));
        return Requeue.IMMEDIATELY;
    }

    private Failed failed(Execution execution, Pending pending, FailedBeforeExecution outcome) {
        // The catalogue may have changed since the failure was counted.
        String problem = runner.validate(execution).orElse("the request was invalid when it was validated");
        Failure failure = FailureFactory.invalidSpec(execution, problem, outcome.failedAt());
        return pending.toFailed(failure, outcome);
    }
}
