package dev.escapement.process.run;

import java.time.Instant;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How far a task came, by the files that its supervisor wrote. */
sealed interface TaskEnd {

    /** What its supervisor writes. */
    Pattern ENDED_PATTERN = Pattern.compile("(exit|signal) (\\d{1,3})");

    /** It was let go and ended, with a code or by a signal. */
    record Ended(Optional<Integer> exitCode, Optional<Integer> signal, Instant startedAt, Instant endedAt)
            implements TaskEnd {
        boolean isSuccess() {
            return exitCode.filter(code -> code == 0).isPresent();
        }
    }

    /** It was let go, and nothing says that it ended. */
    record Unfinished(Instant startedAt) implements TaskEnd {}

    /** It could not be let go. */
    record Refused(String reason, String message) implements TaskEnd {}

    /**
     * Reads how a task ended.
     *
     * @param text such as {@code exit 3} or {@code signal 9}
     * @return empty if it says nothing, as when its writer was killed while it wrote
     */
    static Optional<TaskEnd> parseEnded(String text, Instant begun, Instant ended) {
        Matcher words = ENDED_PATTERN.matcher(text.strip());
        if (!words.matches()) {
            return Optional.empty();
        }
        Optional<Integer> number = Optional.of(Integer.valueOf(words.group(2)));
        boolean exited = words.group(1).equals("exit");
        return Optional.of(
                new Ended(exited ? number : Optional.empty(), exited ? Optional.empty() : number, begun, ended));
    }

    /**
     * Reads why a task could not be let go.
     *
     * @param text a reason and a text, such as {@code CommandNotFound there is no program drain}
     */
    static TaskEnd parseRefused(String text) {
        int space = text.indexOf(' ');
        return space < 0
                ? new Refused(text.strip(), "")
                : new Refused(
                        text.substring(0, space), text.substring(space + 1).strip());
    }
}
