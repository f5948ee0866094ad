package dev.escapement.endpoints.http;

/** Makes text of strangers fit to be stored and shown. */
final class ResponseTextSanitizer {

    static final char REPLACEMENT = '\uFFFD';

    private ResponseTextSanitizer() {}

    /** Without NUL, control characters, halves of characters and marks that turn text around; at most so long. */
    static String sanitize(String text, int longest) {
        StringBuilder clean = new StringBuilder(Math.min(text.length(), longest));
        for (int i = 0; i < text.length(); ) {
            int c = text.codePointAt(i);
            i += Character.charCount(c);
            int shown = isAllowed(c) ? c : REPLACEMENT;
            if (clean.length() + Character.charCount(shown) > longest) {
                break;
            }
            clean.appendCodePoint(shown);
        }
        return clean.toString();
    }

    static boolean isAllowed(int c) {
        if (c == '\n' || c == '\t' || c == '\r') {
            return true;
        }
        boolean turns = (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
        boolean noCharacter = (c & 0xFFFE) == 0xFFFE || (c >= 0xFDD0 && c <= 0xFDEF);
        return !turns && !noCharacter && !Character.isISOControl(c) && Character.getType(c) != Character.SURROGATE;
    }
}
