package dev.escapement.governor.gate;

import dev.escapement.backoff.DurationText;
import dev.escapement.governor.ledger.EndedExecution;
import dev.escapement.governor.ledger.FailureStreak;
import dev.escapement.governor.ledger.Holder;
import dev.escapement.governor.ledger.LedgerEntry;
import java.time.Duration;

/** Describes the input of a check for a person. */
final class CheckInputFormatter {

    private CheckInputFormatter() {}

    static String format(GateCheck check, GateInput input) {
        return switch (check) {
            case TARGET_IS_FREE ->
                input.entry() instanceof LedgerEntry.Held held ? formatHolder(held.holder()) : "free";
            case LAST_EXECUTION_DID_NOT_BREAK ->
                input.block().map(CheckInputFormatter::formatBlock).orElse("no such failure");
            case RETRIES_ARE_LEFT ->
                "%d in a row, the limit is %d"
                        .formatted(input.consecutiveFailures(), input.policy().maxConsecutiveFailures());
            case BACKOFF_IS_OVER ->
                input.failureStreak().map(CheckInputFormatter::formatStreak).orElse("no failed start");
            case COOLDOWN_IS_OVER ->
                input.lastCompleted()
                        .map(ended -> formatCooldown(ended, input.policy().cooldown()))
                        .orElse("no recent success of " + input.workflow());
        };
    }

    private static String formatHolder(Holder holder) {
        return "held by %s (workflow %s) since %s".formatted(holder.execution(), holder.workflow(), holder.since());
    }

    private static String formatBlock(EndedExecution ended) {
        return "%s of workflow %s failed at %s (%s)"
                .formatted(ended.execution(), ended.workflow(), ended.endedAt(), ended.reason());
    }

    private static String formatStreak(FailureStreak streak) {
        return "next allowed at %s, after %s"
                .formatted(streak.nextAllowed(), streak.last().execution());
    }

    private static String formatCooldown(EndedExecution ended, Duration cooldown) {
        return "%s completed at %s, the cooldown is %s"
                .formatted(ended.execution(), ended.endedAt(), DurationText.format(cooldown));
    }
}
