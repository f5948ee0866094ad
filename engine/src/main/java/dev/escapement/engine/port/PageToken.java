package dev.escapement.engine.port;

import dev.escapement.engine.port.ExecutionQueries.Page;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

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
            if (parts.size() != count || !encode(parts.toArray(String[]::new)).equals(token)) {
                throw new IllegalArgumentException("unexpected format");
            }
            return parts;
        } catch (IllegalArgumentException malformed) {
            throw invalid(malformed);
        }
    }

    /** Parses a number in a token. */
    public static long parseNumber(String part) {
        try {
            return Long.parseLong(part);
        } catch (NumberFormatException malformed) {
            throw invalid(malformed);
        }
    }

    /** Returns the number of rows to query: one more than the limit shows whether there is a next page. */
    public static long queryLimit(int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("limit is " + limit + ": it must be at least 1");
        }
        return limit + 1L;
    }

    /**
     * Returns the page of at most {@code limit} of the rows found with {@link #queryLimit}.
     *
     * @param token encodes the key of the last item
     */
    public static <T> Page<T> toPage(List<T> found, int limit, Function<T, String> token) {
        if (found.size() <= limit) {
            return new Page<>(found, Optional.empty());
        }
        List<T> items = found.subList(0, limit);
        return new Page<>(items, Optional.of(token.apply(items.get(limit - 1))));
    }

    /** Creates the exception for a token that is not valid for this list. */
    public static IllegalArgumentException invalid(Exception cause) {
        return new IllegalArgumentException(
                "invalid continuation token: use the one returned with the previous page, or none", cause);
    }
}
