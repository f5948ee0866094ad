package dev.escapement.governor.gate;

import dev.escapement.backoff.DurationText;
import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.EndedExecution;
import dev.escapement.governor.ledger.Holder;
import dev.escapement.governor.ledger.LedgerEntry;
import java.time.Duration;
import java.time.Instant;

/** Describes the checks of the gate for a person. */
final class CheckText {

    private CheckText() {}

    /** Describes the input of a check. */
    static String input(GateCheck check, GateInput input) {
        return switch (check) {
            case TARGET_IS_FREE ->
                input.entry() instanceof LedgerEntry.Held held ? "held by " + describe(held.holder()) : "free";
            case LAST_EXECUTION_DID_NOT_BREAK ->
                input.block()
                        .map(ended -> "%s of workflow %s failed at %s"
                                .formatted(ended.execution(), ended.workflow(), end(ended)))
                        .orElse("no such failure");
            case RETRIES_ARE_LEFT ->
                "%d in a row, the limit is %d"
                        .formatted(input.consecutiveFailures(), input.policy().maxConsecutiveFailures());
            case BACKOFF_IS_OVER ->
                input.failureStreak()
                        .map(streak -> "next allowed at " + streak.nextAllowed() + ", after "
                                + streak.last().execution())
                        .orElse("no failed start");
            case COOLDOWN_IS_OVER ->
                input.lastCompleted()
                        .map(ended -> ended.execution() + " completed at " + ended.endedAt() + ", the cooldown is "
                                + DurationText.format(input.policy().cooldown()))
                        .orElse("no recent success of " + input.request().workflow());
        };
    }

    /** Describes a skip: the obstacle, its end and what to do. */
    static String skipMessage(GateDecision.Skip skip) {
        GateInput input = skip.input();
        Target target = input.request().target();
        if (skip.check() == GateCheck.TARGET_IS_FREE) {
            Holder holder = skip.obstacle().holder().orElseThrow();
            return target + " is held by execution " + describe(holder) + "; one execution at a time runs on a target";
        }
        EndedExecution last = skip.obstacle().endedExecution().orElseThrow();
        return switch (skip.check()) {
            case TARGET_IS_FREE -> throw new AssertionError("has no ended execution");
            case LAST_EXECUTION_DID_NOT_BREAK ->
                "execution " + last.execution() + " (workflow " + last.workflow() + ") ran on " + target
                        + " and failed at " + end(last) + ", so " + target + " may be half changed; "
                        + blockedScope(input) + " runs on it until a person has looked and cleared it";
            case RETRIES_ARE_LEFT ->
                input.consecutiveFailures() + " executions in a row could not start on " + target + ", the last one "
                        + last.execution() + " at " + end(last) + ", and the limit is "
                        + input.policy().maxConsecutiveFailures() + "; " + blockedScope(input)
                        + " runs on it until a person has removed the cause and cleared it";
            case BACKOFF_IS_OVER ->
                "execution " + last.execution() + " could not start on " + target + " at " + end(last) + ", failure "
                        + input.consecutiveFailures() + " in a row; " + retryTimeText(skip);
            case COOLDOWN_IS_OVER ->
                "workflow " + last.workflow() + " completed on " + target + " at " + last.endedAt() + " (execution "
                        + last.execution() + "); " + retryTimeText(skip);
        };
    }

    private static String describe(Holder holder) {
        return "%s (workflow %s) since %s".formatted(holder.execution(), holder.workflow(), holder.since());
    }

    private static String end(EndedExecution failed) {
        return failed.endedAt() + " (" + failed.reason() + ")";
    }

    private static String blockedScope(GateInput input) {
        return switch (input.policy().failureScope()) {
            case TARGET -> "nothing";
            case WORKFLOW -> "workflow " + input.request().workflow() + " no longer";
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
