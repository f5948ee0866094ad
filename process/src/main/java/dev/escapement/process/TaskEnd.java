package dev.escapement.process;

import java.time.Instant;
import java.util.Optional;

/** How far a task came, by the files that its supervisor wrote. */
sealed interface TaskEnd {

    /** It was let go and ended. Neither code nor signal if the file is damaged. */
    record Ended(Optional<Integer> exitCode, Optional<Integer> signal, Instant begun, Instant ended)
            implements TaskEnd {
        boolean isSuccess() {
            return exitCode.filter(code -> code == 0).isPresent();
        }
    }

    /** It was let go, and nothing says that it ended. */
    record CutOff(Instant begun) implements TaskEnd {}

    /** It could not be let go. */
    record Refused(String reason, String message) implements TaskEnd {}

    /**
     * Reads how a task ended.
     *
     * @param text such as {@code exit 3} or {@code signal 9}
     */
    static TaskEnd ended(String text, Instant begun, Instant ended) {
        String[] words = text.strip().split(" ", -1);
        Optional<Integer> number = words.length == 2 && words[1].matches("\\d{1,4}")
                ? Optional.of(Integer.parseInt(words[1]))
                : Optional.empty();
        return new Ended(
                number.filter(given -> words[0].equals("exit")),
                number.filter(given -> words[0].equals("signal")),
                begun,
                ended);
    }

    /**
     * Reads why a task could not be let go.
     *
     * @param text a reason and a text, such as {@code CommandNotFound there is no program drain}
     */
    static TaskEnd refused(String text) {
        int space = text.indexOf(' ');
        return space < 0
                ? new Refused(text.strip(), "")
                : new Refused(
                        text.substring(0, space), text.substring(space + 1).strip());
    }
}
