package dev.escapement.governor.gate;

import dev.escapement.backoff.DurationText;
import dev.escapement.governor.ledger.LedgerEntry;

/** What a check looks at, in words. */
final class CheckInputFormatter {

    private CheckInputFormatter() {}

    static String format(GateCheck check, GateInput question) {
        return switch (check) {
            case TARGET_IS_FREE -> formatHolder(question);
            case LAST_EXECUTION_DID_NOT_BREAK ->
                question.memory()
                        .block(question.failureScope(), question.workflow())
                        .map(past -> "%s of workflow %s failed at %s (%s)"
                                .formatted(past.execution(), past.workflow(), past.endedAt(), past.reason()))
                        .orElse("no such failure");
            case RETRIES_ARE_LEFT ->
                "%d in a row, the limit is %d"
                        .formatted(
                                question.memory().consecutiveFailures(question.failureScope(), question.workflow()),
                                question.policy().maxConsecutiveFailures());
            case BACKOFF_IS_OVER ->
                question.memory()
                        .failureStreak(question.failureScope(), question.workflow())
                        .map(retry -> "next allowed at %s, after %s"
                                .formatted(retry.nextAllowed(), retry.last().execution()))
                        .orElse("no failure to start");
            case COOLDOWN_IS_OVER ->
                question.memory()
                        .lastCompleted(question.workflow())
                        .map(past -> "%s completed at %s, the cooldown is %s"
                                .formatted(
                                        past.execution(),
                                        past.endedAt(),
                                        DurationText.format(question.policy().cooldown())))
                        .orElse("no recent success of " + question.workflow());
        };
    }

    private static String formatHolder(GateInput question) {
        return question.entry() instanceof LedgerEntry.Held held
                ? "held by %s (workflow %s) since %s"
                        .formatted(
                                held.holder().execution(),
                                held.holder().workflow(),
                                held.holder().since())
                : "free";
    }
}
