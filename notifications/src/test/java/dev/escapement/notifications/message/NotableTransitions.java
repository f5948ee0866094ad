package dev.escapement.notifications.message;

import dev.escapement.engine.journal.Transition;
import dev.escapement.engine.journal.TransitionDetail;
import dev.escapement.engine.journal.TransitionType;
import dev.escapement.governor.failure.FailureReason;
import dev.escapement.governor.gate.SkipReason;
import dev.escapement.governor.ledger.ExecutionRef;
import java.time.Instant;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Makes transitions of which a person should know. */
public final class NotableTransitions {

    public static final Instant START = Instant.parse("2026-11-17T08:00:00Z");

    private NotableTransitions() {}

    public static Transition skip(int number, String target, SkipReason reason, Instant at) {
        TreeMap<String, String> details = new TreeMap<>();
        if (reason == SkipReason.ResourceBusy) {
            details.put(TransitionDetail.CONFLICTING_EXECUTION.key(), "ops/holder");
        } else if (reason == SkipReason.RecentlyRemediated) {
            details.put(TransitionDetail.NEXT_ALLOWED.key(), at.plusSeconds(300).toString());
        }
        return transition(
                TransitionType.WorkflowSkipped, number, target, reason.name(), "because of the gate", at, details);
    }

    /** Returns a failure after the first step started. */
    public static Transition failure(int number, String target, Instant at) {
        TreeMap<String, String> details = new TreeMap<>();
        details.put(TransitionDetail.WAS_EXECUTION_FAILURE.key(), "true");
        return transition(
                TransitionType.WorkflowFailed,
                number,
                target,
                FailureReason.OOMKilled.name(),
                "task 2 of 3 was killed",
                at,
                details);
    }

    /** Returns a failure before the first step, the given one in a row. */
    public static Transition failedStart(int number, String target, int inARow, Optional<Instant> next, Instant at) {
        TreeMap<String, String> details = new TreeMap<>();
        details.put(TransitionDetail.WAS_EXECUTION_FAILURE.key(), "false");
        details.put(TransitionDetail.CONSECUTIVE_FAILURES.key(), Integer.toString(inARow));
        next.ifPresent(time -> details.put(TransitionDetail.NEXT_ALLOWED.key(), time.toString()));
        return transition(
                TransitionType.WorkflowFailed,
                number,
                target,
                FailureReason.ImagePullBackOff.name(),
                "the image was never pulled",
                at,
                details);
    }

    public static Transition clearance(String target, String actor, Instant at) {
        TreeMap<String, String> details = new TreeMap<>();
        details.put(TransitionDetail.ACTOR.key(), actor);
        return new Transition(
                TransitionType.BlockCleared,
                at,
                Optional.empty(),
                "",
                target,
                "",
                "cleared by " + actor + ": checked",
                details);
    }

    public static Transition completion(int number, String target, Instant at) {
        return transition(TransitionType.WorkflowCompleted, number, target, "", "completed", at, new TreeMap<>());
    }

    private static Transition transition(
            TransitionType type,
            int number,
            String target,
            String reason,
            String message,
            Instant at,
            SortedMap<String, String> details) {
        ExecutionRef execution = new ExecutionRef("ops", "fix-" + number, "uid-" + number);
        return new Transition(type, at, Optional.of(execution), "restart", target, reason, message, details);
    }
}
