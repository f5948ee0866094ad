package dev.escapement.process.run;

import java.util.List;
import java.util.stream.Collectors;

/** Text that a shell takes as it is. Between single quotes nothing means anything but the closing quote. */
final class ShellQuoter {

    private ShellQuoter() {}

    /** @throws IllegalArgumentException if it has a NUL character, which no argument or variable can hold */
    static String quote(String text) {
        if (text.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("a NUL character cannot be passed to a process");
        }
        return "'" + text.replace("'", "'\\''") + "'";
    }

    static String quote(List<String> words) {
        return words.stream().map(ShellQuoter::quote).collect(Collectors.joining(" "));
    }
}
