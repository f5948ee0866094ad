package dev.escapement.common;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes unmodifiable copies for the constructors of records. Unlike {@link Map#copyOf} and {@link List#copyOf} they
 * keep the order and accept null values, which JSON documents have.
 */
public final class Copies {

    private Copies() {}

    /** Returns an unmodifiable copy in the same order; an empty map for null. */
    public static <V> Map<String, V> map(@Nullable Map<String, V> map) {
        return map == null || map.isEmpty() ? Map.of() : Collections.unmodifiableMap(new LinkedHashMap<>(map));
    }

    /** Returns an unmodifiable copy; an empty list for null. */
    public static <T> List<T> list(@Nullable List<T> list) {
        return list == null || list.isEmpty() ? List.of() : Collections.unmodifiableList(new ArrayList<>(list));
    }
}
