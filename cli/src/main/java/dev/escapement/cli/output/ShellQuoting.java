package dev.escapement.cli.output;

import dev.escapement.cli.output.terminal.TerminalText;

/** Words for a command line that somebody may copy: what others wrote must not become a command. */
final class ShellQuoting {

    private ShellQuoting() {}

    /** As it is if no shell could take it for something else, in quotes otherwise. */
    static String quote(String text) {
        String plain = TerminalText.singleLine(text);
        return plain.matches("[A-Za-z0-9._/:@%+=-]+") ? plain : "'" + plain.replace("'", "'\\''") + "'";
    }
}
