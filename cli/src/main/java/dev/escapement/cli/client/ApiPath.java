package dev.escapement.cli.client;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Path and query of a request, below the base path of the API.
 *
 * @param path encoded, without a leading slash
 * @param query encoded {@code name=value} pairs
 */
public record ApiPath(String path, List<String> query) {

    /** Copies the list. */
    public ApiPath {
        query = List.copyOf(query);
    }

    /** Joins path segments and encodes them. */
    public static ApiPath of(String... segments) {
        return new ApiPath(Stream.of(segments).map(ApiPath::encodeSegment).collect(Collectors.joining("/")), List.of());
    }

    /** Returns the path of an execution, with further segments. */
    public static ApiPath ofExecution(String namespace, String name, String... more) {
        Stream<String> segments = Stream.concat(Stream.of("executions", name), Stream.of(more));
        return of(segments.toArray(String[]::new)).withParameter("namespace", namespace);
    }

    public ApiPath withParameter(String name, String value) {
        List<String> more = new ArrayList<>(query);
        more.add(encode(name) + "=" + encode(value));
        return new ApiPath(path, more);
    }

    /** Adds a query parameter if there is a value. */
    public ApiPath withParameter(String name, Optional<String> value) {
        return value.map(given -> withParameter(name, given)).orElse(this);
    }

    @Override
    public String toString() {
        return query.isEmpty() ? path : path + "?" + String.join("&", query);
    }

    private static String encodeSegment(String text) {
        if (text.isBlank()) {
            throw new IllegalArgumentException("a name is empty: give the name of an existing resource");
        }
        // A segment of dots would be resolved as a step up the path.
        return text.matches("\\.+") ? text.replace(".", "%2E") : encode(text);
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
