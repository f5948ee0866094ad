package dev.escapement.server.http.endpoint;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Changes trees of maps. */
final class MergePatch {

    private MergePatch() {}

    /** Sets one value two objects down; without those objects it does nothing. */
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
     * A part laid over a whole, as in RFC 7396: objects are merged, everything else takes the place of what is there.
     *
     * @param part an empty {@link Optional} removes what is there
     */
    static Map<String, Object> apply(Map<?, ?> whole, Map<?, ?> part) {
        Map<String, Object> merged = copyOf(whole);
        copyOf(part).forEach((key, value) -> {
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
