package dev.escapement.cli.output;

import dev.escapement.cli.output.terminal.TerminalText;

/** Quotes text of others in suggested commands: pasted into a shell, it must stay an argument. */
final class ShellQuoting {

    private ShellQuoting() {}

    /** Quotes the text if a shell would interpret any of its characters. */
    static String quote(String text) {
        String plain = TerminalText.singleLine(text);
        return plain.matches("[A-Za-z0-9._/:@%+=-]+") ? plain : "'" + plain.replace("'", "'\\''") + "'";
    }
}
