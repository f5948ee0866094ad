package dev.escapement.kubernetes.store;

import dev.escapement.engine.port.ExecutionQueries.Page;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** Lists in parts. A token names the last item of a part, so that what comes and goes in between moves nothing. */
final class ContinuationTokens {

    private ContinuationTokens() {}

    /**
     * The first items of a list that goes on after a token.
     *
     * @param sorted what comes after the token
     * @param name of an item, for the next token
     */
    static <T> Page<T> firstPage(Stream<T> sorted, Function<T, String> name, int limit) {
        List<T> items = sorted.limit(limit + 1L).toList();
        if (items.size() <= limit) {
            return new Page<>(items, Optional.empty());
        }
        List<T> part = items.subList(0, limit);
        return new Page<>(part, Optional.of(encode(name.apply(part.get(limit - 1)))));
    }

    private static String encode(String name) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(name.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * What a token names; empty for the beginning of a list.
     *
     * @throws IllegalArgumentException if it is none
     */
    static Optional<String> decode(String token) {
        if (token.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(new String(Base64.getUrlDecoder().decode(token), StandardCharsets.UTF_8));
        } catch (IllegalArgumentException refused) {
            throw invalidToken(refused);
        }
    }

    static IllegalArgumentException invalidToken(Exception cause) {
        return new IllegalArgumentException(
                "this is no continuation token: give the one that came with the last part, or none", cause);
    }
}
