package dev.escapement.cli.output.terminal;

import dev.escapement.common.SafeText;

/** Sanitises text of others (workflows, servers, requests) for one line of a terminal. */
public final class TerminalText {

    private static final int MAX_LENGTH = 4_000;

    private TerminalText() {}

    public static String singleLine(String text) {
        return SafeText.sanitize(text, MAX_LENGTH);
    }

    public static String singleLine(String text, int maxLength) {
        return SafeText.sanitize(text, Math.max(1, maxLength));
    }

    /** Quotes text of others in a suggested command if a shell would interpret any of its characters. */
    public static String shellQuote(String text) {
        String plain = singleLine(text);
        return plain.matches("[A-Za-z0-9._/:@%+=-]+") ? plain : "'" + plain.replace("'", "'\\''") + "'";
    }
}
