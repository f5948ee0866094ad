package dev.escapement.storage.jdbc;

import dev.escapement.common.Digests;
import dev.escapement.common.SafeText;
import java.nio.charset.StandardCharsets;

/**
 * Converts any text to a value that fits an indexed column. Text that an index cannot hold (too long, NUL, unpaired
 * surrogates) is shortened and gets a hash suffix, so that it is still found by the exact original. The document keeps
 * the original.
 */
public final class SearchKey {

    /** An index entry of PostgreSQL has at most 2,700 bytes, and a character up to four. */
    private static final int MAX_LENGTH = 600;

    private static final int KEPT_PREFIX_LENGTH = 500;

    private SearchKey() {}

    public static String of(String text) {
        if (text.length() <= MAX_LENGTH
                && text.indexOf('\0') < 0
                && StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            return text;
        }
        byte[] bytes = text.getBytes(StandardCharsets.UTF_16BE);
        String kept = SafeText.storable(text.substring(0, Math.min(KEPT_PREFIX_LENGTH, text.length())));
        return kept + "#" + Digests.sha256Hex(bytes, 16);
    }
}
