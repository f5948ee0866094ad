package dev.escapement.server.http;

import dev.escapement.api.DocumentList;
import dev.escapement.common.Json;
import dev.escapement.common.SafeText;
import dev.escapement.engine.port.ExecutionQueries.Page;
import dev.escapement.server.document.DocumentParser;
import dev.escapement.server.http.access.Caller;
import dev.escapement.server.http.access.CallerLookup;
import dev.escapement.server.http.access.Right;
import io.javalin.http.Context;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;

/** A request to the API: reads its parameters and its body, names its caller, and writes the response as JSON. */
public record ApiRequest(Context context, RequestBodies bodies, InstantSource clock) {

    public static final String DEFAULT_NAMESPACE = "default";

    private static final int MAX_QUOTE_LENGTH = 200;
    private static final int MAX_TOKEN_QUOTE_LENGTH = 100;
    private static final int MAX_CALLER_LENGTH = 200;
    private static final String UNVERIFIED_SUFFIX = " (unverified)";
    private static final int MAX_REASON_LENGTH = 1_000;
    private static final int DEFAULT_PAGE_SIZE = 50;
    private static final int MAX_PAGE_SIZE = 500;
    private static final int READ_BATCH_SIZE = 25;

    /** Limits the memory of one response: a page of this size ends before its limit of items. */
    private static final int MAX_RESPONSE_BYTES = 4 << 20;

    /** Writes the response to a request, or throws. */
    public interface Handler {
        void handle(ApiRequest request) throws Exception;
    }

    public Instant now() {
        return clock.instant();
    }

    /** Returns a parameter of the path. */
    public String pathParameter(String name) {
        return context.pathParam(name);
    }

    /** Returns a parameter of the query; empty if it is missing or has no value. */
    public Optional<String> parameter(String name) {
        return Optional.ofNullable(context.queryParam(name)).filter(value -> !value.isEmpty());
    }

    void rejectUnknownParameters(Set<String> known) {
        for (String name : context.queryParamMap().keySet()) {
            if (!known.contains(name)) {
                throw HttpProblem.badRequest("%s is not a parameter of %s".formatted(quote(name), context.path()));
            }
        }
    }

    public String namespace() {
        return parameter("namespace").orElse(DEFAULT_NAMESPACE);
    }

    public long number(String name, long defaultValue, long min, long max) {
        String text = parameter(name).orElse(Long.toString(defaultValue));
        try {
            long number = Long.parseLong(text);
            if (number >= min && number <= max) {
                return number;
            }
        } catch (NumberFormatException notANumber) {
            // Reported below.
        }
        throw HttpProblem.badRequest(
                "%s is %s: it must be a whole number from %d to %d".formatted(name, quote(text), min, max));
    }

    /** Returns whether a parameter is true; a missing one is false. */
    public boolean flag(String name) {
        String text = parameter(name).orElse("false");
        if (!text.equals("true") && !text.equals("false")) {
            throw HttpProblem.badRequest("%s is %s: it must be true or false".formatted(name, quote(text)));
        }
        return text.equals("true");
    }

    /** Quotes a value of a request in a message. */
    public static String quote(String text) {
        return SafeText.quote(text, MAX_QUOTE_LENGTH);
    }

    /** Reads an object. */
    public Map<String, Object> readBody() throws IOException {
        return bodies.read(context, DocumentParser::read);
    }

    /** Reads an object that has only known fields; returns an empty one if there is no body. */
    public Map<String, Object> readOptionalBody(Set<String> fields) throws IOException {
        Map<String, Object> body = bodies.readOptionalDocument(context);
        RequestBodies.rejectUnknown(body, fields);
        // Before anything is changed, because the log reads both only afterwards.
        List.of("by", "reason").forEach(key -> RequestBodies.rejectUnlessText(body, key));
        return body;
    }

    /** Returns who sends the request. */
    public Caller caller() {
        return Objects.requireNonNull(context.attribute(Caller.ATTRIBUTE), "the access filter sets the caller");
    }

    /** Returns whether its caller still has a right: a stream ends when its token is removed or loses the right. */
    public boolean isStillAllowed(Right right) {
        CallerLookup lookup = Objects.requireNonNull(
                context.attribute(CallerLookup.ATTRIBUTE), "the access filter sets the lookup of the caller");
        return lookup.find().filter(caller -> caller.may(right)).isPresent();
    }

    /**
     * Returns the name that an action is recorded with: the name of the caller if it is proven, and then {@code by} in
     * the body or the header {@code X-Escapement-By} must be the same. Else one of these, or the header
     * {@code X-Escapement-User}, marked as unverified.
     */
    public String actor(Map<String, Object> body) {
        Caller caller = caller();
        Optional<String> by = RequestBodies.readText(body, "by")
                .or(() -> Optional.ofNullable(context.header("X-Escapement-By")))
                .map(name -> SafeText.sanitize(name, MAX_CALLER_LENGTH));
        if (caller.proven()) {
            by.filter(name -> !name.equals(caller.name())).ifPresent(other -> {
                throw HttpProblem.forbidden("by is %s, but the request was sent by %s: leave by out"
                        .formatted(quote(other), quote(caller.name())));
            });
            return caller.name();
        }
        return by.or(() -> Optional.ofNullable(context.header("X-Escapement-User"))
                        .map(name -> SafeText.sanitize(name, MAX_CALLER_LENGTH)))
                .filter(name -> !name.isBlank())
                .map(name -> name + UNVERIFIED_SUFFIX)
                .orElse(caller.name());
    }

    /** Returns the field {@code reason} of a body. */
    public static Optional<String> readReason(Map<String, Object> body) {
        return RequestBodies.readText(body, "reason")
                .map(text -> SafeText.sanitize(text, MAX_REASON_LENGTH))
                .filter(text -> !text.isBlank());
    }

    public void respond(int status, Object document) {
        writeJson(context, status, document);
    }

    static void writeJson(Context context, int status, Object document) {
        context.status(status).contentType("application/json").result(Json.writeBytes(document));
    }

    /**
     * Responds with one page of a list, by the parameters {@code limit} and {@code continue}.
     *
     * @param reader reads a page, by token and limit
     */
    public <T> void respondPage(BiFunction<String, Integer, Page<T>> reader, Function<T, ?> document) {
        long limit = number("limit", DEFAULT_PAGE_SIZE, 1, MAX_PAGE_SIZE);
        List<Object> items = new ArrayList<>();
        Optional<String> next = Optional.of(parameter("continue").orElse(""));
        long length = 0;
        while (next.isPresent() && items.size() < limit && length < MAX_RESPONSE_BYTES) {
            Page<T> batch = readPage(reader, next.get(), (int) Math.min(READ_BATCH_SIZE, limit - items.size()));
            for (T item : batch.items()) {
                Object written = document.apply(item);
                items.add(written);
                length += Json.writeBytes(written).length;
            }
            next = batch.nextToken();
        }
        respond(200, new DocumentList<>(items, new DocumentList.Metadata(next.orElse(null))));
    }

    private static <T> Page<T> readPage(BiFunction<String, Integer, Page<T>> reader, String token, int limit) {
        try {
            return reader.apply(token, limit);
        } catch (IllegalArgumentException invalidToken) {
            throw HttpProblem.badRequest("continue is %s: it must be metadata.continue of the previous page"
                    .formatted(SafeText.quote(token, MAX_TOKEN_QUOTE_LENGTH)));
        }
    }
}
