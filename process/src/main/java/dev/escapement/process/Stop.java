package dev.escapement.process;

import dev.escapement.governor.SafeText;
import dev.escapement.governor.failure.RunEnd;

/**
 * Why a run must end.
 *
 * @param end cancelled or timed out
 * @param message for people
 */
record Stop(RunEnd end, String message) {

    private static final int LONGEST = 500;

    static Stop cancelled(String by) {
        return new Stop(RunEnd.CANCELLED, "cancelled by " + SafeText.sanitize(by, LONGEST));
    }

    static Stop timedOut(String message) {
        return new Stop(RunEnd.TIMED_OUT, message);
    }

    String write() {
        return end + " " + SafeText.sanitize(message, LONGEST) + "\n";
    }

    static Stop parse(String text) {
        int space = text.indexOf(' ');
        boolean timedOut = text.startsWith(RunEnd.TIMED_OUT.name());
        return new Stop(
                timedOut ? RunEnd.TIMED_OUT : RunEnd.CANCELLED,
                text.substring(space + 1).strip());
    }
}
