package dev.escapement.process.run;

import java.time.Instant;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How a task ended, according to the files that its supervisor wrote. */
sealed interface TaskEnd {

    Pattern ENDED_PATTERN = Pattern.compile("(exit|signal) (\\d{1,3})");

    /** The task was started and ended with an exit code or by a signal. */
    record Ended(Optional<Integer> exitCode, Optional<Integer> signal, Instant startedAt, Instant endedAt)
            implements TaskEnd {
        boolean isSuccess() {
            return exitCode.filter(code -> code == 0).isPresent();
        }
    }

    /** The task was started, and its end was not recorded. */
    record Unfinished(Instant startedAt) implements TaskEnd {}

    /** The task could not be started. */
    record Refused(String reason, String message) implements TaskEnd {}

    /**
     * Parses the end of a started task.
     *
     * @param text such as {@code exit 3} or {@code signal 9}
     * @return empty if the text is incomplete because the supervisor was killed while writing
     */
    static Optional<TaskEnd> parseEnded(String text, Instant startedAt, Instant endedAt) {
        Matcher matcher = ENDED_PATTERN.matcher(text.strip());
        if (!matcher.matches()) {
            return Optional.empty();
        }
        Optional<Integer> number = Optional.of(Integer.valueOf(matcher.group(2)));
        boolean exited = matcher.group(1).equals("exit");
        return Optional.of(
                new Ended(exited ? number : Optional.empty(), exited ? Optional.empty() : number, startedAt, endedAt));
    }

    /**
     * Parses why a task could not be started.
     *
     * @param text reason and message, such as {@code CommandNotFound there is no program drain}
     */
    static TaskEnd parseRefused(String text) {
        int space = text.indexOf(' ');
        return space < 0
                ? new Refused(text.strip(), "")
                : new Refused(
                        text.substring(0, space), text.substring(space + 1).strip());
    }
}
