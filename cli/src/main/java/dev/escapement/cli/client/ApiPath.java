package dev.escapement.cli.client;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a request is about: a path below the API's base, and a query. Names go into it encoded, whatever they contain.
 *
 * @param path encoded, without a slash in front
 * @param query encoded pairs
 */
public record ApiPath(String path, List<String> query) {

    /** Copies the list. */
    public ApiPath {
        query = List.copyOf(query);
    }

    /** Of path segments as people write them. */
    public static ApiPath of(String... segments) {
        return new ApiPath(
                String.join(
                        "/",
                        List.of(segments).stream().map(ApiPath::encodeSegment).toList()),
                List.of());
    }

    /** The same with a parameter. */
    public ApiPath withParameter(String name, String value) {
        List<String> more = new ArrayList<>(query);
        more.add(encode(name) + "=" + encode(value));
        return new ApiPath(path, more);
    }

    /** The same with a parameter, if there is a value. */
    public ApiPath withParameter(String name, Optional<String> value) {
        return value.map(given -> withParameter(name, given)).orElse(this);
    }

    @Override
    public String toString() {
        return query.isEmpty() ? path : path + "?" + String.join("&", query);
    }

    private static String encodeSegment(String text) {
        if (text.isBlank()) {
            throw new IllegalArgumentException("an empty name: it must name something");
        }
        // Dots alone are steps in a path, not names.
        return text.matches("\\.+") ? text.replace(".", "%2E") : encode(text);
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
