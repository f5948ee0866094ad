package dev.escapement.common;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A map of bounded size: a new entry beyond the maximum removes the one that was added first. Replacing a value does
 * not renew its entry. Not thread-safe.
 */
public final class LruMap<K, V> extends LinkedHashMap<K, V> {

    private final int maxSize;

    private LruMap(int maxSize) {
        if (maxSize < 1) {
            throw new IllegalArgumentException("maxSize is " + maxSize + ": must be at least 1");
        }
        this.maxSize = maxSize;
    }

    /**
     * Returns an empty map.
     *
     * @throws IllegalArgumentException if {@code maxSize} is less than 1
     */
    public static <K, V> LruMap<K, V> byInsertion(int maxSize) {
        return new LruMap<>(maxSize);
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
        return size() > maxSize;
    }
}
