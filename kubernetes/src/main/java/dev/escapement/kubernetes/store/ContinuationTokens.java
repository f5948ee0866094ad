package dev.escapement.kubernetes.store;

import dev.escapement.engine.port.ExecutionQueries.Page;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** Pages of lists. A token names the last item of a page, so items that come and go do not shift the next page. */
final class ContinuationTokens {

    private ContinuationTokens() {}

    /**
     * Returns the first page of the items after a token.
     *
     * @param name returns the name of an item for the next token
     */
    static <T> Page<T> firstPage(Stream<T> sorted, Function<T, String> name, int limit) {
        List<T> items = sorted.limit(limit + 1L).toList();
        if (items.size() <= limit) {
            return new Page<>(items, Optional.empty());
        }
        List<T> page = items.subList(0, limit);
        return new Page<>(page, Optional.of(encode(name.apply(page.get(limit - 1)))));
    }

    private static String encode(String name) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(name.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Returns the name in a token; empty for the beginning of a list.
     *
     * @throws IllegalArgumentException if the token is invalid
     */
    static Optional<String> decode(String token) {
        if (token.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(new String(Base64.getUrlDecoder().decode(token), StandardCharsets.UTF_8));
        } catch (IllegalArgumentException invalid) {
            throw invalidToken(invalid);
        }
    }

    static IllegalArgumentException invalidToken(Exception cause) {
        return new IllegalArgumentException(
                "invalid continuation token: use the one returned with the previous page, or none", cause);
    }
}
