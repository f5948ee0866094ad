package dev.escapement.governor.gate;

import dev.escapement.backoff.DurationText;
import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.EndedExecution;
import dev.escapement.governor.ledger.Holder;
import java.time.Duration;
import java.time.Instant;

/** A skip, for a person: what is in the way, until when, and what to do about it. */
final class SkipMessage {

    private SkipMessage() {}

    static String of(GateDecision.Skip skip) {
        Target target = skip.input().request().target();
        return switch (skip.check()) {
            case TARGET_IS_FREE -> busyMessage(target, skip.conflictingHolder().orElseThrow());
            case LAST_EXECUTION_DID_NOT_BREAK ->
                blockedMessage(target, skip.recentExecution().orElseThrow(), skip.input());
            case RETRIES_ARE_LEFT ->
                exhaustedMessage(target, skip.recentExecution().orElseThrow(), skip.input());
            case BACKOFF_IS_OVER -> backoffMessage(target, skip);
            case COOLDOWN_IS_OVER -> cooldownMessage(target, skip);
        };
    }

    private static String busyMessage(Target target, Holder holder) {
        return "%s is held by execution %s (workflow %s) since %s; one execution at a time runs on a target"
                .formatted(target, holder.execution(), holder.workflow(), holder.since());
    }

    private static String blockedMessage(Target target, EndedExecution past, GateInput question) {
        return ("execution %s (workflow %s) ran on %s and failed at %s (%s), so %s may be half changed; "
                        + "%s runs on it until a person has looked and cleared it")
                .formatted(
                        past.execution(),
                        past.workflow(),
                        target,
                        past.endedAt(),
                        past.reason(),
                        target,
                        blockedScope(question));
    }

    private static String exhaustedMessage(Target target, EndedExecution last, GateInput question) {
        return ("%d executions in a row could not start on %s, the last one %s at %s (%s), and the limit is %d; "
                        + "%s runs on it until a person has removed the cause and cleared it")
                .formatted(
                        question.memory().consecutiveFailures(question.failureScope(), question.workflow()),
                        target,
                        last.execution(),
                        last.endedAt(),
                        last.reason(),
                        question.policy().maxConsecutiveFailures(),
                        blockedScope(question));
    }

    private static String backoffMessage(Target target, GateDecision.Skip skip) {
        EndedExecution last = skip.recentExecution().orElseThrow();
        GateInput question = skip.input();
        return "execution %s could not start on %s at %s (%s), failure %d in a row; %s"
                .formatted(
                        last.execution(),
                        target,
                        last.endedAt(),
                        last.reason(),
                        question.memory().consecutiveFailures(question.failureScope(), question.workflow()),
                        retryTimeText(skip));
    }

    private static String cooldownMessage(Target target, GateDecision.Skip skip) {
        EndedExecution last = skip.recentExecution().orElseThrow();
        return "workflow %s completed on %s at %s (execution %s); %s"
                .formatted(last.workflow(), target, last.endedAt(), last.execution(), retryTimeText(skip));
    }

    private static String blockedScope(GateInput question) {
        return switch (question.failureScope()) {
            case TARGET -> "nothing";
            case WORKFLOW -> "workflow " + question.workflow() + " no longer";
        };
    }

    private static String retryTimeText(GateDecision.Skip skip) {
        Instant at = skip.allowedAt().orElseThrow();
        Duration remaining = Duration.between(skip.input().now(), at);
        // Rounded up to whole seconds: whoever waits as long as they are told must not come too early.
        long seconds = remaining.getSeconds() + (remaining.getNano() > 0 ? 1 : 0);
        return "it may run again in %s, at %s".formatted(DurationText.format(Duration.ofSeconds(seconds)), at);
    }
}
