package dev.escapement.server.http;

import dev.escapement.api.DocumentList;
import dev.escapement.common.Json;
import dev.escapement.common.SafeText;
import dev.escapement.engine.port.ExecutionQueries.Page;
import io.javalin.http.Context;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Writes a list page by page. */
public final class PagedResponse {

    /** Reads one page. */
    @FunctionalInterface
    public interface PageReader<T> {
        Page<T> read(String token, int limit);
    }

    private static final int MAX_QUOTE_LENGTH = 100;
    private static final int READ_BATCH_SIZE = 25;

    /** Limits the memory of one response: a page of this size ends before its limit of items. */
    private static final int MAX_RESPONSE_BYTES = 4 << 20;

    private PagedResponse() {}

    public static <T> void write(Context context, PageReader<T> reader, Function<T, ?> document) {
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
        Responses.writeJson(context, 200, new DocumentList<>(items, new DocumentList.Metadata(next.orElse(null))));
    }

    private static <T> Page<T> readPage(PageReader<T> reader, String token, int limit) {
        try {
            return reader.read(token, limit);
        } catch (IllegalArgumentException invalidToken) {
            throw HttpProblem.badRequest("continue is %s: it must be metadata.continue of the previous page"
                    .formatted(SafeText.quote(token, MAX_QUOTE_LENGTH)));
        }
    }
}
