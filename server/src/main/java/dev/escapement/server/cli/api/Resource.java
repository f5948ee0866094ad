package dev.escapement.server.cli.api;

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
public record Resource(String path, List<String> query) {

    /** Copies the list. */
    public Resource {
        query = List.copyOf(query);
    }

    /** Of path segments as people write them. */
    public static Resource of(String... segments) {
        return new Resource(
                String.join(
                        "/", List.of(segments).stream().map(Resource::segment).toList()),
                List.of());
    }

    /** The same with a parameter. */
    public Resource with(String name, String value) {
        List<String> more = new ArrayList<>(query);
        more.add(encoded(name) + "=" + encoded(value));
        return new Resource(path, more);
    }

    /** The same with a parameter, if there is a value. */
    public Resource with(String name, Optional<String> value) {
        return value.map(given -> with(name, given)).orElse(this);
    }

    @Override
    public String toString() {
        return query.isEmpty() ? path : path + "?" + String.join("&", query);
    }

    private static String segment(String text) {
        if (text.isBlank()) {
            throw new IllegalArgumentException("an empty name: it must name something");
        }
        // Dots alone are steps in a path, not names.
        return text.matches("\\.+") ? text.replace(".", "%2E") : encoded(text);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
