package dev.escapement.server.http;

import dev.escapement.api.DocumentList;
import dev.escapement.common.Json;
import dev.escapement.common.SafeText;
import dev.escapement.engine.port.ExecutionQueries.Page;
import io.javalin.http.Context;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;

/** Writes JSON responses. */
public final class Responses {

    private static final int MAX_QUOTE_LENGTH = 100;
    private static final int READ_BATCH_SIZE = 25;

    /** Limits the memory of one response: a page of this size ends before its limit of items. */
    private static final int MAX_RESPONSE_BYTES = 4 << 20;

    private Responses() {}

    public static void writeJson(Context context, int status, Object document) {
        context.status(status).contentType("application/json").result(Json.writeBytes(document));
    }

    static void writeProblem(Context context, HttpProblem problem) {
        writeJson(context, problem.status(), problem.toDocument());
    }

    /**
     * Writes one page of a list.
     *
     * @param reader reads a page, by token and limit
     */
    public static <T> void writePage(
            Context context, BiFunction<String, Integer, Page<T>> reader, Function<T, ?> document) {
        int limit = QueryParams.limit(context);
        List<Object> items = new ArrayList<>();
        Optional<String> next =
                Optional.of(QueryParams.readText(context, "continue").orElse(""));
        long length = 0;
        while (next.isPresent() && items.size() < limit && length < MAX_RESPONSE_BYTES) {
            Page<T> batch = readPage(reader, next.get(), Math.min(READ_BATCH_SIZE, limit - items.size()));
            for (T item : batch.items()) {
                Object written = document.apply(item);
                items.add(written);
                length += Json.writeBytes(written).length;
            }
            next = batch.nextToken();
        }
        writeJson(context, 200, new DocumentList<>(items, new DocumentList.Metadata(next.orElse(null))));
    }

    private static <T> Page<T> readPage(BiFunction<String, Integer, Page<T>> reader, String token, int limit) {
        try {
            return reader.apply(token, limit);
        } catch (IllegalArgumentException invalidToken) {
            throw HttpProblem.badRequest("continue is %s: it must be metadata.continue of the previous page"
                    .formatted(SafeText.quote(token, MAX_QUOTE_LENGTH)));
        }
    }
}
