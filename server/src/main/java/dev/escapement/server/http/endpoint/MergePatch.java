package dev.escapement.server.http.endpoint;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Changes JSON documents. */
final class MergePatch {

    private MergePatch() {}

    /** Sets a value two levels down; has no effect if those objects are missing. */
    static void putNested(Map<String, Object> tree, String outer, String inner, String key, Object value) {
        if (tree.get(outer) instanceof Map<?, ?> first && first.get(inner) instanceof Map<?, ?> second) {
            Map<String, Object> deepest = copyOf(second);
            deepest.put(key, value);
            Map<String, Object> middle = copyOf(first);
            middle.put(inner, deepest);
            tree.put(outer, middle);
        }
    }

    /**
     * Applies a merge patch as in RFC 7396: objects are merged, other values are replaced.
     *
     * @param patch an empty {@link Optional} removes a value
     */
    static Map<String, Object> apply(Map<?, ?> document, Map<?, ?> patch) {
        Map<String, Object> merged = copyOf(document);
        copyOf(patch).forEach((key, value) -> {
            if (value instanceof Optional<?>) {
                merged.remove(key);
            } else if (value instanceof Map<?, ?> inner) {
                merged.put(key, apply(merged.get(key) instanceof Map<?, ?> old ? old : Map.of(), inner));
            } else {
                merged.put(key, value);
            }
        });
        return merged;
    }

    static Map<String, Object> copyOf(Map<?, ?> map) {
        Map<String, Object> copy = new LinkedHashMap<>();
        map.forEach((key, value) -> copy.put(String.valueOf(key), value));
        return copy;
    }
}
