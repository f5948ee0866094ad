package dev.escapement.endpoints.store.sql;

/** Text without what a database cannot hold: NUL, and halves of characters. */
final class SqlTextSanitizer {

    private static final char REPLACEMENT = '\uFFFD';

    private SqlTextSanitizer() {}

    /** The text itself, almost always. */
    static String sanitize(String text) {
        int bad = firstInvalid(text, 0);
        if (bad < 0) {
            return text;
        }
        StringBuilder clean = new StringBuilder(text);
        for (; bad >= 0; bad = firstInvalid(text, bad + 1)) {
            clean.setCharAt(bad, REPLACEMENT);
        }
        return clean.toString();
    }

    private static int firstInvalid(String text, int from) {
        for (int i = from; i < text.length(); i++) {
            char at = text.charAt(i);
            if (at == 0 || Character.isLowSurrogate(at)) {
                return i;
            } else if (Character.isHighSurrogate(at)) {
                if (i + 1 == text.length() || !Character.isLowSurrogate(text.charAt(i + 1))) {
                    return i;
                }
                i++;
            }
        }
        return -1;
    }
}
