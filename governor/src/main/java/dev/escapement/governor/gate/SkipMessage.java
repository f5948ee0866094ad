package dev.escapement.governor.gate;

import dev.escapement.backoff.DurationText;
import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.EndedExecution;
import dev.escapement.governor.ledger.Holder;
import java.time.Duration;
import java.time.Instant;

/** Describes a skip for a person: the obstacle, its end and what to do. */
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

    private static String blockedMessage(Target target, EndedExecution failed, GateInput input) {
        return ("execution %s (workflow %s) ran on %s and failed at %s (%s), so %s may be half changed; "
                        + "%s runs on it until a person has looked and cleared it")
                .formatted(
                        failed.execution(),
                        failed.workflow(),
                        target,
                        failed.endedAt(),
                        failed.reason(),
                        target,
                        blockedScope(input));
    }

    private static String exhaustedMessage(Target target, EndedExecution last, GateInput input) {
        return ("%d executions in a row could not start on %s, the last one %s at %s (%s), and the limit is %d; "
                        + "%s runs on it until a person has removed the cause and cleared it")
                .formatted(
                        input.consecutiveFailures(),
                        target,
                        last.execution(),
                        last.endedAt(),
                        last.reason(),
                        input.policy().maxConsecutiveFailures(),
                        blockedScope(input));
    }

    private static String backoffMessage(Target target, GateDecision.Skip skip) {
        EndedExecution last = skip.recentExecution().orElseThrow();
        GateInput input = skip.input();
        return "execution %s could not start on %s at %s (%s), failure %d in a row; %s"
                .formatted(
                        last.execution(),
                        target,
                        last.endedAt(),
                        last.reason(),
                        input.consecutiveFailures(),
                        retryTimeText(skip));
    }

    private static String cooldownMessage(Target target, GateDecision.Skip skip) {
        EndedExecution last = skip.recentExecution().orElseThrow();
        return "workflow %s completed on %s at %s (execution %s); %s"
                .formatted(last.workflow(), target, last.endedAt(), last.execution(), retryTimeText(skip));
    }

    private static String blockedScope(GateInput input) {
        return switch (input.failureScope()) {
            case TARGET -> "nothing";
            case WORKFLOW -> "workflow " + input.workflow() + " no longer";
        };
    }

    private static String retryTimeText(GateDecision.Skip skip) {
        Instant at = skip.allowedAt().orElseThrow();
        Duration remaining = Duration.between(skip.input().now(), at);
        // Rounded up to whole seconds: a caller who waits that long must not be too early.
        long seconds = remaining.getSeconds() + (remaining.getNano() > 0 ? 1 : 0);
        return "it may run again in %s, at %s".formatted(DurationText.format(Duration.ofSeconds(seconds)), at);
    }
}
