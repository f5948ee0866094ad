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
        return target + " is held by execution " + holder.execution() + " (workflow " + holder.workflow() + ") since "
                + holder.since() + "; one execution at a time runs on a target";
    }

    private static String blockedMessage(Target target, EndedExecution failed, GateInput input) {
        return "execution " + failed.execution() + " (workflow " + failed.workflow() + ") ran on " + target
                + " and failed at " + describe(failed) + ", so " + target + " may be half changed; "
                + blockedScope(input) + " runs on it until a person has looked and cleared it";
    }

    private static String exhaustedMessage(Target target, EndedExecution last, GateInput input) {
        return input.consecutiveFailures() + " executions in a row could not start on " + target + ", the last one "
                + last.execution() + " at " + describe(last) + ", and the limit is "
                + input.policy().maxConsecutiveFailures() + "; " + blockedScope(input)
                + " runs on it until a person has removed the cause and cleared it";
    }

    private static String backoffMessage(Target target, GateDecision.Skip skip) {
        EndedExecution last = skip.recentExecution().orElseThrow();
        return "execution " + last.execution() + " could not start on " + target + " at " + describe(last)
                + ", failure " + skip.input().consecutiveFailures() + " in a row; " + retryTimeText(skip);
    }

    private static String cooldownMessage(Target target, GateDecision.Skip skip) {
        EndedExecution last = skip.recentExecution().orElseThrow();
        return "workflow " + last.workflow() + " completed on " + target + " at " + last.endedAt() + " (execution "
                + last.execution() + "); " + retryTimeText(skip);
    }

    private static String describe(EndedExecution failed) {
        return failed.endedAt() + " (" + failed.reason() + ")";
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
