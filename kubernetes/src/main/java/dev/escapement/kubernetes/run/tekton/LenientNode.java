package dev.escapement.kubernetes.run.tekton;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A part of an object of another program. A missing value, or one of an unexpected type, reads as absent: a newer
 * Tekton must not stop the watch of all runs. Every method takes the path of what it reads.
 */
record LenientNode(@Nullable Object value) {

    /** Keeps a few entries of a map. The rest of a Tekton object is large: parameters, whole pipelines, provenance. */
    static Map<String, Object> select(@Nullable Map<String, Object> whole, String... keys) {
        Map<String, Object> parts = new HashMap<>(whole == null ? Map.of() : whole);
        parts.keySet().retainAll(List.of(keys));
        return parts;
    }

    LenientNode at(String... path) {
        Object node = value;
        for (String key : path) {
            node = node instanceof Map<?, ?> map ? map.get(key) : null;
        }
        return new LenientNode(node);
    }

    boolean has(String... path) {
        return at(path).value != null;
    }

    /** Returns an empty string if there is no text. */
    String text(String... path) {
        return at(path).value instanceof String text ? text : "";
    }

    Optional<Integer> integer(String... path) {
        return at(path).value instanceof Number number ? Optional.of(number.intValue()) : Optional.empty();
    }

    Optional<Instant> instant(String... path) {
        try {
            return Optional.of(text(path)).filter(text -> !text.isEmpty()).map(Instant::parse);
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    List<LenientNode> items(String... path) {
        return at(path).value instanceof List<?> list
                ? list.stream().<LenientNode>map(LenientNode::new).toList()
                : List.of();
    }
}
