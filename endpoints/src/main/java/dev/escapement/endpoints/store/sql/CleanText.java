package dev.escapement.endpoints.store.sql;

/** Text without what a database cannot hold: NUL, and halves of characters. */
final class CleanText {

    private static final char REPLACEMENT = '\uFFFD';

    private CleanText() {}

    /** The text itself, almost always. */
    static String of(String text) {
        int bad = firstBad(text, 0);
        if (bad < 0) {
            return text;
        }
        StringBuilder clean = new StringBuilder(text);
        for (; bad >= 0; bad = firstBad(text, bad + 1)) {
            clean.setCharAt(bad, REPLACEMENT);
        }
        return clean.toString();
    }

    private static int firstBad(String text, int from) {
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
