package dev.escapement.engine.journal;

import dev.escapement.common.Digests;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionStatus;
import dev.escapement.engine.port.StoreWrite;
import dev.escapement.governor.failure.Failure;
import dev.escapement.governor.ledger.Clearance;
import dev.escapement.governor.ledger.EndedExecution;
import dev.escapement.governor.ledger.ExecutionOutcome.FailedBeforeExecution;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.Holder;
import dev.escapement.governor.ledger.LedgerEntry;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A change of an execution or a target, for the audit trail, events, metrics and the log.
 *
 * @param execution empty if the transition concerns a target alone
 * @param workflow of the execution; empty if the transition concerns a target alone
 * @param target canonical, or as written if it is not valid
 * @param reason a code; empty if the transition needs none
 * @param message for a person
 * @param details by the keys of {@link TransitionDetail}
 */
public record Transition(
        TransitionType type,
        Instant at,
        Optional<ExecutionRef> execution,
        String workflow,
        String target,
        String reason,
        String message,
        SortedMap<String, String> details) {

    /** The reason of a deletion that no person requested. */
    public static final String RETENTION_EXPIRED = "RetentionExpired";

    private static final int ID_BYTES = 16;

    public Transition {
        details = Collections.unmodifiableSortedMap(new TreeMap<>(details));
    }

    /**
     * Returns the same id for the same transition, whether it is derived from the write or from the stored state. A
     * target can be cleared many times, and an execution can be delayed many times; every other transition happens to
     * an execution once.
     */
    public String id() {
        String subject = execution.map(ExecutionRef::uid).orElse(target) + "#" + type;
        boolean repeats = execution.isEmpty() || type == TransitionType.WorkflowPending;
        return Digests.sha256Hex(repeats ? subject + "#" + reason + "#" + at : subject, ID_BYTES);
    }

    /** Returns what it is about: the remediation request, or else the uid of the execution, or else the target. */
    public String correlationId() {
        return detail(TransitionDetail.REMEDIATION_ID)
                .or(() -> execution.map(ExecutionRef::uid))
                .orElse(target);
    }

    public Optional<String> detail(TransitionDetail key) {
        return Optional.ofNullable(details.get(key.key()));
    }

    Transition withDetail(TransitionDetail key, String value) {
        TreeMap<String, String> more = new TreeMap<>(details);
        more.put(key.key(), value);
        return new Transition(type, at, execution, workflow, target, reason, message, more);
    }

    Transition withDetail(TransitionDetail key, Optional<?> value) {
        return value.map(given -> withDetail(key, given.toString())).orElse(this);
    }

    private Transition withReason(String code) {
        return new Transition(type, at, execution, workflow, target, code, message, details);
    }

    /**
     * Returns the transition that a write makes, if any. A pure function of the write and its transaction.
     *
     * @param transaction all writes of the call, this one included: the executions in them name the remediations, which
     *     a ledger entry does not know
     */
    public static Optional<Transition> of(StoreWrite write, List<StoreWrite> transaction) {
        TransitionSubjects subjects = TransitionSubjects.of(transaction);
        return of(write).map(transition -> subjects.addTo(transition, write));
    }

    /** Returns the transition that a write makes by itself, if any. A pure function of the write. */
    public static Optional<Transition> of(StoreWrite write) {
        if (write instanceof StoreWrite.Creation create) {
            Execution created = create.execution();
            return Optional.of(transition(TransitionType.WorkflowAccepted, created, created.createdAt(), "accepted")
                    .withDetail(TransitionDetail.ACTOR, created.createdBy()));
        } else if (write instanceof StoreWrite.StatusUpdate status) {
            return ofStatus(status.expected().value(), status.updated());
        } else if (write instanceof StoreWrite.EntryUpdate entry) {
            return ofEntry(entry.expected().value(), entry.updated(), entry.at());
        } else if (write instanceof StoreWrite.Cancellation cancel) {
            Execution execution = cancel.expected().value();
            String message = "cancellation requested by " + cancel.actor();
            return Optional.of(transition(TransitionType.CancellationRequested, execution, cancel.at(), message)
                    .withDetail(TransitionDetail.ACTOR, cancel.actor()));
        } else if (write instanceof StoreWrite.Deletion delete) {
            String message = "deleted by " + delete.actor();
            Execution execution = delete.expected().value();
            return Optional.of(transition(TransitionType.ExecutionDeleted, execution, delete.at(), message)
                    .withDetail(TransitionDetail.ACTOR, delete.actor()));
        }
        if (write instanceof StoreWrite.Expiry expiry) {
            Execution execution = expiry.expected().value();
            String message = "removed after its retention";
            return Optional.of(transition(TransitionType.ExecutionDeleted, execution, expiry.at(), message)
                    .withReason(RETENTION_EXPIRED));
        }
        // A ClearanceUpdate accompanies the update of the entry, which makes the transition.
        return Optional.empty();
    }

    private static Optional<Transition> ofStatus(Execution before, ExecutionStatus next) {
        if (next instanceof ExecutionStatus.Pending pending) {
            return pending.details()
                    .filter(details -> hasNewReason(before, details))
                    .map(details -> pending(before, details));
        } else if (before.status().phase().equals(next.phase())) {
            return Optional.empty();
        } else if (next instanceof ExecutionStatus.Running running) {
            String name = running.run().name();
            String message = "run " + name + " started";
            return Optional.of(transition(TransitionType.PipelineRunCreated, before, running.startTime(), message)
                    .withDetail(TransitionDetail.RUN_NAME, name));
        } else if (next instanceof ExecutionStatus.Completed completed) {
            Instant at = completed.completionTime();
            return Optional.of(transition(TransitionType.WorkflowCompleted, before, at, "completed")
                    .withDetail(TransitionDetail.DURATION_SECONDS, formatSeconds(completed.duration())));
        } else if (next instanceof ExecutionStatus.Skipped skipped) {
            return Optional.of(skipped(before, skipped.details()));
        }
        return next instanceof ExecutionStatus.Failed failed ? Optional.of(failed(before, failed)) : Optional.empty();
    }

    /** A new text of the same reason is no transition. */
    private static boolean hasNewReason(Execution before, ExecutionStatus.PendingDetails next) {
        return !(before.status() instanceof ExecutionStatus.Pending pending)
                || pending.details()
                        .filter(known -> known.reason() == next.reason())
                        .isEmpty();
    }

    private static Transition pending(Execution execution, ExecutionStatus.PendingDetails details) {
        return transition(TransitionType.WorkflowPending, execution, details.since(), details.message())
                .withReason(details.reason().name())
                .withDetail(TransitionDetail.PENDING_UNTIL, details.until());
    }

    private static Transition skipped(Execution execution, ExecutionStatus.SkipDetails details) {
        Optional<ExecutionRef> holder = details.conflictingHolder().map(Holder::execution);
        Optional<EndedExecution> recent = details.recentExecution();
        Optional<String> outcome = recent.map(ended -> ended.reason().isEmpty() ? "Completed" : "Failed");
        return transition(TransitionType.WorkflowSkipped, execution, details.skippedAt(), details.message())
                .withReason(details.reason().name())
                .withDetail(TransitionDetail.CONFLICTING_EXECUTION, holder)
                .withDetail(TransitionDetail.RECENT_EXECUTION, recent.map(EndedExecution::execution))
                .withDetail(TransitionDetail.RECENT_OUTCOME, outcome)
                .withDetail(TransitionDetail.NEXT_ALLOWED, details.allowedAt());
    }

    private static Transition failed(Execution execution, ExecutionStatus.Failed failed) {
        Failure failure = failed.failure();
        Instant at = failed.completionTime();
        Optional<String> seconds = failed.startTime().map(start -> formatSeconds(Duration.between(start, at)));
        Transition transition = transition(TransitionType.WorkflowFailed, execution, at, failure.message())
                .withReason(failure.reason().name())
                .withDetail(TransitionDetail.WAS_EXECUTION_FAILURE, String.valueOf(failure.wasExecutionFailure()))
                .withDetail(TransitionDetail.DURATION_SECONDS, seconds);
        return failed.outcome() instanceof FailedBeforeExecution before
                ? transition
                        .withDetail(TransitionDetail.CONSECUTIVE_FAILURES, String.valueOf(before.consecutiveFailures()))
                        .withDetail(TransitionDetail.NEXT_ALLOWED, before.nextAllowed())
                : transition;
    }

    private static Optional<Transition> ofEntry(LedgerEntry before, LedgerEntry next, Instant at) {
        String target = next.target().canonical();
        Optional<Clearance> clearance =
                next.clearance().filter(given -> !before.clearance().equals(Optional.of(given)));
        if (clearance.isPresent()) {
            return clearance.map(given -> cleared(target, given));
        }
        return before instanceof LedgerEntry.Held held && next instanceof LedgerEntry.Free
                ? Optional.of(released(target, held.holder(), at))
                : Optional.empty();
    }

    private static Transition released(String target, Holder holder, Instant at) {
        Optional<ExecutionRef> execution = Optional.of(holder.execution());
        String message = target + " released";
        return new Transition(
                TransitionType.LockReleased, at, execution, holder.workflow(), target, "", message, new TreeMap<>());
    }

    private static Transition cleared(String target, Clearance clearance) {
        String message = "cleared by " + clearance.actor() + ": " + clearance.reason();
        Instant at = clearance.at();
        return new Transition(
                        TransitionType.BlockCleared, at, Optional.empty(), "", target, "", message, new TreeMap<>())
                .withDetail(TransitionDetail.ACTOR, clearance.actor());
    }

    private static Transition transition(TransitionType type, Execution execution, Instant at, String message) {
        String target = execution.spec().canonicalTarget();
        Optional<ExecutionRef> ref = Optional.of(execution.ref());
        return new Transition(type, at, ref, execution.workflowId(), target, "", message, new TreeMap<>())
                .withDetail(TransitionDetail.REMEDIATION_ID, execution.spec().remediationId());
    }

    private static String formatSeconds(Duration duration) {
        return BigDecimal.valueOf(duration.toMillis(), 3).toPlainString();
    }
}
