package dev.escapement.common;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A map of bounded size: a new entry beyond the maximum removes the oldest one. Not thread-safe; in a map
 * {@linkplain #byAccess by access}, {@code get} is a modification too.
 */
public final class LruMap<K, V> extends LinkedHashMap<K, V> {

    private static final float LOAD_FACTOR = 0.75f;
    private static final int INITIAL_CAPACITY = 16;

    private final int maxSize;

    private LruMap(int maxSize, boolean byAccess) {
        super(INITIAL_CAPACITY, LOAD_FACTOR, byAccess);
        if (maxSize < 1) {
            throw new IllegalArgumentException("maxSize is " + maxSize + ": must be at least 1");
        }
        this.maxSize = maxSize;
    }

    /**
     * Returns an empty map that removes the entry that was read or written longest ago.
     *
     * @throws IllegalArgumentException if {@code maxSize} is less than 1
     */
    public static <K, V> LruMap<K, V> byAccess(int maxSize) {
        return new LruMap<>(maxSize, true);
    }

    /**
     * Returns an empty map that removes the entry that was added first. Replacing a value does not renew its entry.
     *
     * @throws IllegalArgumentException if {@code maxSize} is less than 1
     */
    public static <K, V> LruMap<K, V> byInsertion(int maxSize) {
        return new LruMap<>(maxSize, false);
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
        return size() > maxSize;
    }
}
