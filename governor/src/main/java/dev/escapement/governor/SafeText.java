package dev.escapement.governor;

/**
 * Makes text that others wrote fit to be stored and shown: one line, of bounded length, without characters that a
 * terminal, a log or a reader could take for something else.
 */
public final class SafeText {

    /** Stands where something was cut off. */
    public static final String ELLIPSIS = "…";

    private SafeText() {}

    /**
     * The text on one line, white space and invisible characters collapsed.
     *
     * @param longest in UTF-16 units, the mark of a cut included; at least 1
     */
    public static String sanitize(String text, int longest) {
        StringBuilder plain = new StringBuilder();
        boolean gap = false;
        // The text may be megabytes long: no more of it is read than can be kept.
        for (int i = 0; i < text.length() && plain.length() <= longest; ) {
            int character = text.codePointAt(i);
            i += Character.charCount(character);
            if (isInvisible(character)) {
                gap = plain.length() > 0;
                continue;
            }
            if (gap) {
                plain.append(' ');
                gap = false;
            }
            plain.appendCodePoint(character);
        }
        return plain.length() <= longest ? plain.toString() : truncate(plain, longest);
    }

    /** The same between quotation marks, so that nobody takes it for our own words. */
    public static String quote(String text, int longest) {
        return '"' + sanitize(text, longest).replace('"', '\'') + '"';
    }

    private static String truncate(StringBuilder plain, int longest) {
        int end = longest - ELLIPSIS.length();
        boolean splitsAPair = end > 0 && Character.isHighSurrogate(plain.charAt(end - 1));
        return plain.substring(0, splitsAPair ? end - 1 : end) + ELLIPSIS;
    }

    private static boolean isInvisible(int character) {
        return switch (Character.getType(character)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.UNASSIGNED,
                    Character.PRIVATE_USE,
                    Character.SPACE_SEPARATOR,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> true;
            default -> false;
        };
    }
}
