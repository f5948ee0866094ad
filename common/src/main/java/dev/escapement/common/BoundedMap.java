package dev.escapement.common;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A map of bounded size: a new entry beyond the maximum removes the one that was added first. Replacing a value does
 * not renew its entry. Not thread-safe.
 */
public final class BoundedMap<K, V> extends LinkedHashMap<K, V> {

    private final int maxSize;

    /** @throws IllegalArgumentException if {@code maxSize} is less than 1 */
    public BoundedMap(int maxSize) {
        if (maxSize < 1) {
            throw new IllegalArgumentException("maxSize is " + maxSize + ": must be at least 1");
        }
        this.maxSize = maxSize;
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
        return size() > maxSize;
    }
}
