package dev.escapement.governor.gate;

import dev.escapement.backoff.DurationText;
import dev.escapement.governor.FailureScope;
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
                        .map(streak -> streak.nextAllowed()
                                        .map(next -> "next allowed at " + next)
                                        .orElse("not allowed before a clearance")
                                + ", after " + streak.last().execution())
                        .orElse("no failed start");
            case COOLDOWN_IS_OVER ->
                input.lastCompleted()
                        .map(ended -> ended.execution() + " completed at " + ended.endedAt() + ", the cooldown is "
                                + DurationText.format(input.policy().cooldown()))
                        .orElse("no recent success of " + input.request().workflow());
            case NO_OLDER_REQUEST_WAITS, QUEUE_HAS_ROOM ->
                "%d older executions wait, the limit is %d"
                        .formatted(input.waitingAhead().count(), input.policy().maxWaiting());
            case WAIT_IS_NOT_OVER ->
                input.request()
                        .waitTerms()
                        .map(terms -> "it waits until " + terms.until())
                        .orElse("it does not wait");
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
        return switch (skip.check()) {
            case TARGET_IS_FREE, LAST_EXECUTION_DID_NOT_BREAK, RETRIES_ARE_LEFT, BACKOFF_IS_OVER, COOLDOWN_IS_OVER ->
                pastExecutionMessage(skip);
            case NO_OLDER_REQUEST_WAITS -> {
                GateRequest older = skip.obstacle().olderRequest().orElseThrow();
                yield "execution %s (workflow %s) has waited for %s longer and runs first"
                        .formatted(older.execution(), older.workflow(), target);
            }
            case QUEUE_HAS_ROOM ->
                "%d executions wait for %s already, and the limit is %d"
                        .formatted(
                                input.waitingAhead().count(),
                                target,
                                input.policy().maxWaiting());
            case WAIT_IS_NOT_OVER ->
                "it could wait for %s until %s; nothing is in its way now, but that time is over"
                        .formatted(
                                target,
                                input.request().waitTerms().orElseThrow().until());
        };
    }

    /** Describes a wait. It names no state that may change while the execution waits, except as that of its start. */
    static String waitMessage(GateDecision.Wait wait) {
        return "waits for %s until %s at the latest; when it began to wait: %s"
                .formatted(
                        wait.input().request().target(),
                        wait.until(),
                        wait.cause().message());
    }

    private static String pastExecutionMessage(GateDecision.Skip skip) {
        GateInput input = skip.input();
        Target target = input.request().target();
        EndedExecution last = skip.obstacle().endedExecution().orElseThrow();
        return switch (skip.check()) {
            case TARGET_IS_FREE, NO_OLDER_REQUEST_WAITS, QUEUE_HAS_ROOM, WAIT_IS_NOT_OVER ->
                throw new AssertionError("has no ended execution");
            case LAST_EXECUTION_DID_NOT_BREAK ->
                "execution " + last.execution() + " (workflow " + last.workflow() + ") ran on " + target
                        + " and failed at " + end(last) + ", so " + target + " may be half changed; "
                        + blockedScope(input.policy().blockScope(), input)
                        + " runs on it until a person has looked and cleared it";
            case RETRIES_ARE_LEFT ->
                input.consecutiveFailures() + " executions in a row could not start on " + target + ", the last one "
                        + last.execution() + " at " + end(last) + ", and the limit is "
                        + input.policy().maxConsecutiveFailures() + "; "
                        + blockedScope(input.failureScope(), input)
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

    private static String blockedScope(FailureScope scope, GateInput input) {
        return switch (scope) {
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
