package dev.escapement.process.run;

import java.util.List;
import java.util.stream.Collectors;

/** Quotes text for a POSIX shell. */
final class ShellQuoter {

    private ShellQuoter() {}

    /** @throws IllegalArgumentException if the text has a NUL character, which no argument or variable can contain */
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
