package dev.escapement.governor.gate;

import dev.escapement.backoff.DurationText;
import dev.escapement.governor.ledger.LedgerEntry;

/** Describes the input of a check for a person. */
final class CheckInputFormatter {

    private CheckInputFormatter() {}

    static String format(GateCheck check, GateInput input) {
        return switch (check) {
            case TARGET_IS_FREE -> formatHolder(input);
            case LAST_EXECUTION_DID_NOT_BREAK ->
                input.memory()
                        .block(input.failureScope(), input.workflow())
                        .map(ended -> "%s of workflow %s failed at %s (%s)"
                                .formatted(ended.execution(), ended.workflow(), ended.endedAt(), ended.reason()))
                        .orElse("no such failure");
            case RETRIES_ARE_LEFT ->
                "%d in a row, the limit is %d"
                        .formatted(
                                input.memory().consecutiveFailures(input.failureScope(), input.workflow()),
                                input.policy().maxConsecutiveFailures());
            case BACKOFF_IS_OVER ->
                input.memory()
                        .failureStreak(input.failureScope(), input.workflow())
                        .map(streak -> "next allowed at %s, after %s"
                                .formatted(streak.nextAllowed(), streak.last().execution()))
                        .orElse("no failed start");
            case COOLDOWN_IS_OVER ->
                input.memory()
                        .lastCompleted(input.workflow())
                        .map(ended -> "%s completed at %s, the cooldown is %s"
                                .formatted(
                                        ended.execution(),
                                        ended.endedAt(),
                                        DurationText.format(input.policy().cooldown())))
                        .orElse("no recent success of " + input.workflow());
        };
    }

    private static String formatHolder(GateInput input) {
        return input.entry() instanceof LedgerEntry.Held held
                ? "held by %s (workflow %s) since %s"
                        .formatted(
                                held.holder().execution(),
                                held.holder().workflow(),
                                held.holder().since())
                : "free";
    }
}
