package dev.escapement.server.http;

import dev.escapement.common.SafeText;
import dev.escapement.engine.port.ExecutionQueries.Page;
import dev.escapement.server.document.JsonWriter;
import io.javalin.http.Context;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Lists in parts. */
public final class PagedResponse {

    /** Reads a part. */
    @FunctionalInterface
    public interface PageReader<T> {
        Page<T> read(String token, int limit);
    }

    private static final int MAX_QUOTE_LENGTH = 100;

    /** Items are read few at a time, and an answer ends early when it is this long: nobody's list fills the memory. */
    private static final int READ_BATCH_SIZE = 25;

    private static final int MAX_RESPONSE_BYTES = 4 << 20;

    private PagedResponse() {}

    public static <T> void write(Context context, PageReader<T> reader, Function<T, Map<String, Object>> document) {
        int limit = QueryParams.limit(context);
        List<Object> items = new ArrayList<>();
        Optional<String> next =
                Optional.of(QueryParams.readText(context, "continue").orElse(""));
        long length = 0;
        while (next.isPresent() && items.size() < limit && length < MAX_RESPONSE_BYTES) {
            Page<T> part = readPage(reader, next.get(), Math.min(READ_BATCH_SIZE, limit - items.size()));
            for (T item : part.items()) {
                Map<String, Object> tree = document.apply(item);
                items.add(tree);
                length += JsonWriter.toBytes(tree).length;
            }
            next = part.nextToken();
        }
        Map<String, Object> metadata = new LinkedHashMap<>();
        metadata.put("continue", next);
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("items", items);
        answer.put("metadata", metadata);
        Responses.writeJson(context, 200, answer);
    }

    private static <T> Page<T> readPage(PageReader<T> reader, String token, int limit) {
        try {
            return reader.read(token, limit);
        } catch (IllegalArgumentException noToken) {
            throw HttpProblem.badRequest("continue is %s: it must be what metadata.continue of the part before said"
                    .formatted(SafeText.quote(token, MAX_QUOTE_LENGTH)));
        }
    }
}
