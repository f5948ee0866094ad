package dev.escapement.common;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;

/** Encodes the sort key of the last item of a page as an opaque, URL-safe continuation token. */
public final class PageToken {

    private static final String SEPARATOR = "\n";

    private PageToken() {}

    /** Encodes the key of the last item. No part may contain a line break. */
    public static String encode(String... parts) {
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(String.join(SEPARATOR, parts).getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Decodes a token.
     *
     * @throws IllegalArgumentException if the token is malformed or does not have {@code count} parts
     */
    public static List<String> decode(String token, int count) {
        try {
            String text = new String(Base64.getUrlDecoder().decode(token), StandardCharsets.UTF_8);
            List<String> parts = List.of(text.split(SEPARATOR, -1));
            if (parts.size() == count && encode(parts.toArray(String[]::new)).equals(token)) {
                return parts;
            }
        } catch (IllegalArgumentException malformed) {
            throw invalid(malformed);
        }
        throw invalid(new IllegalArgumentException("unexpected format"));
    }

    /** Creates the exception for a token that is not valid for this list. */
    public static IllegalArgumentException invalid(Exception cause) {
        return new IllegalArgumentException(
                "invalid continuation token: use the one returned with the previous page, or none", cause);
    }
}
