package dev.escapement.storage.jdbc;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Text in an indexed column. People may write what an index cannot hold: a text of a megabyte, a NUL, half a surrogate
 * pair. Such a text is cut and marked with its hash, so that it is still found by what was written and by nothing else.
 * The document has it to the letter.
 */
public final class SearchKey {

    /** An index entry of PostgreSQL has 2,700 bytes at most; a character has up to four. */
    private static final int MAX_LENGTH = 600;

    private static final int KEPT_PREFIX_LENGTH = 500;

    private SearchKey() {}

    /** The text itself, almost always. */
    public static String of(String text) {
        if (text.length() <= MAX_LENGTH
                && text.indexOf('\0') < 0
                && StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            return text;
        }
        byte[] bytes = text.getBytes(StandardCharsets.UTF_16BE);
        String kept =
                text.substring(0, Math.min(KEPT_PREFIX_LENGTH, text.length())).replaceAll("[\\x00\\p{Cs}]", "\uFFFD");
        return kept + "#" + HexFormat.of().formatHex(sha256().digest(bytes), 0, 16);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new AssertionError("every Java platform has SHA-256", impossible);
        }
    }
}
