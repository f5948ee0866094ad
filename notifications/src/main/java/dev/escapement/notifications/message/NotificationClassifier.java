package dev.escapement.notifications.message;

import dev.escapement.engine.journal.Transition;
import dev.escapement.engine.journal.TransitionDetail;
import dev.escapement.engine.journal.TransitionType;
import dev.escapement.governor.gate.SkipReason;
import java.util.Optional;

/** Decides which transitions a person should know of, and how urgent they are. */
public final class NotificationClassifier {

    private NotificationClassifier() {}

    /** Returns the severity of a transition; empty if it needs no notification. */
    public static Optional<NotificationSeverity> severityOf(Transition transition) {
        return switch (transition.type()) {
            case WorkflowSkipped -> Optional.of(severityOfSkip(transition.reason()));
            case WorkflowFailed -> Optional.of(severityOfFailure(transition));
            case BlockCleared -> Optional.of(NotificationSeverity.INFO);
            case WorkflowAccepted,
                    WorkflowPending,
                    PipelineRunCreated,
                    WorkflowCompleted,
                    LockReleased,
                    CancellationRequested,
                    ExecutionDeleted -> Optional.empty();
        };
    }

    private static NotificationSeverity severityOfSkip(String reason) {
        if (reason.equals(SkipReason.PreviousExecutionFailed.name())) {
            return NotificationSeverity.CRITICAL;
        }
        return reason.equals(SkipReason.ExhaustedRetries.name())
                ? NotificationSeverity.WARNING
                : NotificationSeverity.INFO;
    }

    private static NotificationSeverity severityOfFailure(Transition transition) {
        if (wasExecutionFailure(transition)) {
            return NotificationSeverity.CRITICAL;
        }
        return exhaustsRetries(transition) ? NotificationSeverity.WARNING : NotificationSeverity.INFO;
    }

    /** Whether the target is blocked until a person clears it. */
    public static boolean needsPerson(Transition transition) {
        return switch (transition.type()) {
            case WorkflowSkipped -> severityOfSkip(transition.reason()) != NotificationSeverity.INFO;
            case WorkflowFailed -> wasExecutionFailure(transition) || exhaustsRetries(transition);
            default -> false;
        };
    }

    /** Whether a step of a failed execution had started, or may have: a missing answer counts as yes. */
    static boolean wasExecutionFailure(Transition transition) {
        return transition.type() == TransitionType.WorkflowFailed
                && !transition
                        .detail(TransitionDetail.WAS_EXECUTION_FAILURE)
                        .orElse("true")
                        .equals("false");
    }

    /** Whether a failed start was counted and no further one is allowed. */
    private static boolean exhaustsRetries(Transition transition) {
        return transition.detail(TransitionDetail.CONSECUTIVE_FAILURES).isPresent()
                && transition.detail(TransitionDetail.NEXT_ALLOWED).isEmpty();
    }
}
