package dev.escapement.server.http;

import dev.escapement.engine.port.Directory.Page;
import dev.escapement.governor.PlainText;
import io.javalin.http.Context;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/** Lists in parts. */
final class Lists {

    /** Reads a part. */
    @FunctionalInterface
    interface Reader<T> {
        Page<T> read(String token, int limit);
    }

    private static final int LONGEST_QUOTE = 100;

    private Lists() {}

    static <T> Page<T> page(Context context, Reader<T> reader) {
        String token = Params.text(context, "continue").orElse("");
        int limit = Params.limit(context);
        try {
            return reader.read(token, limit);
        } catch (IllegalArgumentException noToken) {
            throw Problem.badRequest("continue is %s: it must be what metadata.continue of the part before said"
                    .formatted(PlainText.quoted(token, LONGEST_QUOTE)));
        }
    }

    static <T> void answer(Context context, Page<T> page, Function<T, Map<String, Object>> document) {
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("items", page.items().stream().map(document).toList());
        Map<String, Object> metadata = new LinkedHashMap<>();
        metadata.put("continue", page.next());
        answer.put("metadata", metadata);
        Answers.json(context, 200, answer);
    }
}
