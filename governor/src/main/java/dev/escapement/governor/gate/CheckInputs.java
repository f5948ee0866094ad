package dev.escapement.governor.gate;

import dev.escapement.backoff.DurationText;
import dev.escapement.governor.ledger.LedgerEntry;

/** What a check looks at, in words. */
final class CheckInputs {

    private CheckInputs() {}

    static String of(GateCheck check, Question question) {
        return switch (check) {
            case TARGET_IS_FREE -> holder(question);
            case LAST_EXECUTION_DID_NOT_BREAK ->
                question.memory()
                        .block(question.scope(), question.workflow())
                        .map(past -> "%s of workflow %s failed at %s (%s)"
                                .formatted(past.execution(), past.workflow(), past.at(), past.reason()))
                        .orElse("no such failure");
            case RETRIES_ARE_LEFT ->
                "%d in a row, the limit is %d"
                        .formatted(
                                question.memory().failures(question.scope(), question.workflow()),
                                question.policy().maxConsecutiveFailures());
            case BACKOFF_IS_OVER ->
                question.memory()
                        .retry(question.scope(), question.workflow())
                        .map(retry -> "next allowed at %s, after %s"
                                .formatted(retry.nextAllowed(), retry.last().execution()))
                        .orElse("no failure to start");
            case COOLDOWN_IS_OVER ->
                question.memory()
                        .completed(question.workflow())
                        .map(past -> "%s completed at %s, the cooldown is %s"
                                .formatted(
                                        past.execution(),
                                        past.at(),
                                        DurationText.format(question.policy().cooldown())))
                        .orElse("no recent success of " + question.workflow());
        };
    }

    private static String holder(Question question) {
        return question.entry() instanceof LedgerEntry.Held held
                ? "held by %s (workflow %s) since %s"
                        .formatted(
                                held.holder().execution(),
                                held.holder().workflow(),
                                held.holder().since())
                : "free";
    }
}
