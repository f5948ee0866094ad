package dev.escapement.cli.output.terminal;

import dev.escapement.governor.SafeText;

/**
 * Text that others wrote (workflows, servers, whoever asked for an execution), made fit for a terminal: it must not be
 * able to move the cursor, change colours, hide or reverse what stands there.
 */
public final class TerminalText {

    private static final int MAX_LENGTH = 4_000;
    private static final char ESCAPE = '\u001b';
    private static final char CONTROL_SEQUENCE = '\u009b';

    private TerminalText() {}

    /** On one line, however long. */
    public static String singleLine(String text) {
        return SafeText.sanitize(text, MAX_LENGTH);
    }

    /** On one line of a bounded length. */
    public static String singleLine(String text, int longest) {
        return SafeText.sanitize(text, Math.max(1, longest));
    }

    /**
     * With its lines and tabs, and without everything else that is not seen; a sequence of controls goes as a whole.
     */
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

    /** Whether it has characters that are not seen, or seen as something else. */
    public static boolean containsInvisible(String text) {
        return text.codePoints()
                .anyMatch(character -> character != '\n' && character != '\t' && isInvisible(character));
    }

    /** Colours and cursor movements: an introducer, parameters up to the letter that ends them. */
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
