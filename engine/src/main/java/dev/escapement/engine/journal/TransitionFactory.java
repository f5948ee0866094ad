package dev.escapement.engine.journal;

import static dev.escapement.engine.journal.TransitionType.BlockCleared;
import static dev.escapement.engine.journal.TransitionType.CancellationRequested;
import static dev.escapement.engine.journal.TransitionType.ExecutionDeleted;
import static dev.escapement.engine.journal.TransitionType.LockReleased;
import static dev.escapement.engine.journal.TransitionType.PipelineRunCreated;
import static dev.escapement.engine.journal.TransitionType.WorkflowAccepted;
import static dev.escapement.engine.journal.TransitionType.WorkflowCompleted;
import static dev.escapement.engine.journal.TransitionType.WorkflowFailed;
import static dev.escapement.engine.journal.TransitionType.WorkflowSkipped;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionStatus;
import dev.escapement.engine.port.StoreWrite;
import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.Clearance;
import dev.escapement.governor.ledger.ExecutionOutcome;
import dev.escapement.governor.ledger.Holder;
import dev.escapement.governor.ledger.LedgerEntry;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Derives transitions from writes. */
final class TransitionFactory {

    private TransitionFactory() {}

    static Optional<Transition> of(StoreWrite write) {
        if (write instanceof StoreWrite.Creation create) {
            Execution created = create.execution();
            return Optional.of(executionTransition(created, WorkflowAccepted, created.createdAt(), "accepted"));
        } else if (write instanceof StoreWrite.StatusUpdate status) {
            return of(status.expected().value(), status.updated());
        } else if (write instanceof StoreWrite.EntryUpdate entry) {
            return of(entry.expected().value(), entry.updated(), entry.at());
        } else if (write instanceof StoreWrite.Cancellation cancel) {
            return Optional.of(executionTransition(
                            cancel.expected().value(),
                            CancellationRequested,
                            cancel.at(),
                            "cancellation requested by " + cancel.actor())
                    .withDetail(TransitionDetail.ACTOR, cancel.actor()));
        } else if (write instanceof StoreWrite.Deletion delete) {
            return Optional.of(executionTransition(
                            delete.expected().value(), ExecutionDeleted, delete.at(), "deleted by " + delete.actor())
                    .withDetail(TransitionDetail.ACTOR, delete.actor()));
        }
        // A ClearanceUpdate accompanies the update of the entry, which makes the transition.
        return Optional.empty();
    }

    private static Optional<Transition> of(Execution before, ExecutionStatus next) {
        if (before.status().phase().equals(next.phase())) {
            return Optional.empty();
        } else if (next instanceof ExecutionStatus.Running running) {
            String name = running.run().name();
            return Optional.of(
                    executionTransition(before, PipelineRunCreated, running.startTime(), "run " + name + " started")
                            .withDetail(TransitionDetail.RUN_NAME, name));
        } else if (next instanceof ExecutionStatus.Completed completed) {
            Transition transition =
                    executionTransition(before, WorkflowCompleted, completed.completionTime(), "completed");
            return Optional.of(
                    transition.withDetail(TransitionDetail.DURATION_SECONDS, formatSeconds(completed.duration())));
        } else if (next instanceof ExecutionStatus.Skipped skipped) {
            return Optional.of(skippedTransition(before, skipped.details()));
        } else if (next instanceof ExecutionStatus.Failed failed) {
            return Optional.of(failedTransition(before, failed));
        }
        return Optional.empty();
    }

    private static Transition skippedTransition(Execution execution, ExecutionStatus.SkipDetails details) {
        return executionTransition(execution, WorkflowSkipped, details.skippedAt(), details.message())
                .withReason(details.reason().name())
                .withDetail(
                        TransitionDetail.CONFLICTING_EXECUTION,
                        details.conflictingHolder().map(Holder::execution))
                .withDetail(
                        TransitionDetail.RECENT_EXECUTION,
                        details.recentExecution().map(ended -> ended.execution()))
                .withDetail(
                        TransitionDetail.RECENT_OUTCOME,
                        details.recentExecution().map(ended -> ended.reason().isEmpty() ? "Completed" : "Failed"))
                .withDetail(TransitionDetail.NEXT_ALLOWED, details.allowedAt());
    }

    private static Transition failedTransition(Execution execution, ExecutionStatus.Failed failed) {
        Transition transition = executionTransition(
                        execution,
                        WorkflowFailed,
                        failed.completionTime(),
                        failed.failure().message())
                .withReason(failed.failure().reason().name())
                .withDetail(
                        TransitionDetail.WAS_EXECUTION_FAILURE,
                        Boolean.toString(failed.failure().wasExecutionFailure()))
                .withDetail(
                        TransitionDetail.DURATION_SECONDS,
                        failed.startTime()
                                .map(start -> formatSeconds(Duration.between(start, failed.completionTime()))));
        return failed.outcome() instanceof ExecutionOutcome.FailedBeforeExecution before
                ? transition
                        .withDetail(
                                TransitionDetail.CONSECUTIVE_FAILURES, Integer.toString(before.consecutiveFailures()))
                        .withDetail(
                                TransitionDetail.NEXT_ALLOWED,
                                before.nextAllowed().toString())
                : transition;
    }

    private static Optional<Transition> of(LedgerEntry before, LedgerEntry next, Instant at) {
        Optional<Clearance> clearance =
                next.clearance().filter(given -> !before.clearance().equals(Optional.of(given)));
        if (clearance.isPresent()) {
            return clearance.map(given -> clearedTransition(next, given));
        }
        return before instanceof LedgerEntry.Held held && next instanceof LedgerEntry.Free
                ? Optional.of(releasedTransition(held.holder(), next, at))
                : Optional.empty();
    }

    private static Transition releasedTransition(Holder holder, LedgerEntry free, Instant at) {
        String target = free.target().canonical();
        return Transition.of(LockReleased, at, holder.execution(), holder.workflow(), target, target + " released");
    }

    private static Transition clearedTransition(LedgerEntry entry, Clearance clearance) {
        return new Transition(
                        BlockCleared,
                        clearance.at(),
                        Optional.empty(),
                        "",
                        entry.target().canonical(),
                        "",
                        "cleared by " + clearance.actor() + ": " + clearance.reason(),
                        new TreeMap<>(Map.of()))
                .withDetail(TransitionDetail.ACTOR, clearance.actor());
    }

    private static Transition executionTransition(
            Execution execution, TransitionType type, Instant at, String message) {
        String target = execution.spec().targetResource();
        return Transition.of(
                        type,
                        at,
                        execution.ref(),
                        execution.workflowId(),
                        Target.tryParse(target).map(Target::canonical).orElse(target),
                        message)
                .withDetail(TransitionDetail.REMEDIATION_ID, execution.spec().remediationId());
    }

    private static String formatSeconds(Duration duration) {
        return BigDecimal.valueOf(duration.toMillis(), 3).toPlainString();
    }
}
