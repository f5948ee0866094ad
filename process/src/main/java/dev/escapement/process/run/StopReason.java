package dev.escapement.process.run;

import dev.escapement.common.SafeText;
import dev.escapement.governor.failure.RunEnd;

/**
 * Why a run is stopped.
 *
 * @param end {@link RunEnd#CANCELLED} or {@link RunEnd#TIMED_OUT}
 */
public record StopReason(RunEnd end, String message) {

    private static final int MAX_MESSAGE_LENGTH = 500;

    public static StopReason cancelled(String by) {
        return new StopReason(RunEnd.CANCELLED, "cancelled by " + SafeText.sanitize(by, MAX_MESSAGE_LENGTH));
    }

    public static StopReason timedOut(String message) {
        return new StopReason(RunEnd.TIMED_OUT, message);
    }

    String serialize() {
        return end + " " + SafeText.sanitize(message, MAX_MESSAGE_LENGTH) + "\n";
    }

    static StopReason parse(String text) {
        int space = text.indexOf(' ');
        boolean timedOut = text.startsWith(RunEnd.TIMED_OUT.name());
        return new StopReason(
                timedOut ? RunEnd.TIMED_OUT : RunEnd.CANCELLED,
                text.substring(space + 1).strip());
    }
}
