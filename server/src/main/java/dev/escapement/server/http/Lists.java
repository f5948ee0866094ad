package dev.escapement.server.http;

import dev.escapement.engine.port.ExecutionQueries.Page;
import dev.escapement.governor.SafeText;
import dev.escapement.server.text.Json;
import io.javalin.http.Context;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Lists in parts. */
final class Lists {

    /** Reads a part. */
    @FunctionalInterface
    interface Reader<T> {
        Page<T> read(String token, int limit);
    }

    private static final int LONGEST_QUOTE = 100;

    /** Items are read few at a time, and an answer ends early when it is this long: nobody's list fills the memory. */
    private static final int AT_A_TIME = 25;

    private static final int LONGEST_ANSWER = 4 << 20;

    private Lists() {}

    static <T> void answer(Context context, Reader<T> reader, Function<T, Map<String, Object>> document) {
        int limit = Params.limit(context);
        List<Object> items = new ArrayList<>();
        Optional<String> next = Optional.of(Params.text(context, "continue").orElse(""));
        long length = 0;
        while (next.isPresent() && items.size() < limit && length < LONGEST_ANSWER) {
            Page<T> part = read(reader, next.get(), Math.min(AT_A_TIME, limit - items.size()));
            for (T item : part.items()) {
                Map<String, Object> tree = document.apply(item);
                items.add(tree);
                length += Json.bytes(tree).length;
            }
            next = part.nextToken();
        }
        Map<String, Object> metadata = new LinkedHashMap<>();
        metadata.put("continue", next);
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("items", items);
        answer.put("metadata", metadata);
        Answers.json(context, 200, answer);
    }

    private static <T> Page<T> read(Reader<T> reader, String token, int limit) {
        try {
            return reader.read(token, limit);
        } catch (IllegalArgumentException noToken) {
            throw Problem.badRequest("continue is %s: it must be what metadata.continue of the part before said"
                    .formatted(SafeText.quote(token, LONGEST_QUOTE)));
        }
    }
}
