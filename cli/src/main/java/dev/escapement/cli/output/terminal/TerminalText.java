package dev.escapement.cli.output.terminal;

import dev.escapement.common.SafeText;

/**
 * Sanitises text of others (workflows, servers, requests) for a terminal: it must not move the cursor, change colours,
 * or hide or reverse other text.
 */
public final class TerminalText {

    private static final int MAX_LENGTH = 4_000;
    private static final char ESCAPE = '\u001b';
    private static final char CONTROL_SEQUENCE = '\u009b';

    private TerminalText() {}

    public static String singleLine(String text) {
        return SafeText.sanitize(text, MAX_LENGTH);
    }

    public static String singleLine(String text, int maxLength) {
        return SafeText.sanitize(text, Math.max(1, maxLength));
    }

    /** Keeps line feeds and tabs; removes control sequences and all other invisible characters. */
    public static String multiLine(String text) {
        StringBuilder plain = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); ) {
            int character = text.codePointAt(i);
            if (character == ESCAPE || character == CONTROL_SEQUENCE) {
                i = skipControlSequence(text, i);
                continue;
            }
            i += Character.charCount(character);
            if (character == '\n' || character == '\t' || !isInvisible(character)) {
                plain.appendCodePoint(character);
            }
        }
        return plain.toString();
    }

    /** Whether the text has invisible characters besides line feeds and tabs. */
    public static boolean containsInvisible(String text) {
        return text.codePoints()
                .anyMatch(character -> character != '\n' && character != '\t' && isInvisible(character));
    }

    /** Returns the index after a control sequence: introducer, parameters, final letter. */
    private static int skipControlSequence(String text, int start) {
        int i = start + 1;
        if (text.charAt(start) == ESCAPE) {
            if (i >= text.length() || text.charAt(i) != '[') {
                return i;
            }
            i++;
        }
        while (i < text.length() && text.charAt(i) >= 0x20 && text.charAt(i) < 0x40) {
            i++;
        }
        return Math.min(text.length(), i < text.length() && text.charAt(i) < 0x7f ? i + 1 : i);
    }

    private static boolean isInvisible(int character) {
        return switch (Character.getType(character)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.UNASSIGNED,
                    Character.PRIVATE_USE,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> true;
            default -> false;
        };
    }
}
