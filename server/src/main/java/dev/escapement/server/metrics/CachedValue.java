package dev.escapement.server.metrics;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Caches a value that is expensive to read for {@link #TTL_NANOS}. */
final class CachedValue<T> {

    private static final Logger LOG = LoggerFactory.getLogger(CachedValue.class);
    private static final long TTL_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final String name;
    private final Supplier<T> source;
    private final LongSupplier ticker;
    private T value;
    private boolean loaded;
    private long loadedAt;

    /**
     * @param name of the value in the log
     * @param initial returned until the first successful read
     */
    CachedValue(String name, Supplier<T> source, T initial, LongSupplier ticker) {
        this.name = name;
        this.source = source;
        this.value = initial;
        this.ticker = ticker;
    }

    /** Returns the last value if it cannot be read again. */
    synchronized T get() {
        long now = ticker.getAsLong();
        if (!loaded || now - loadedAt >= TTL_NANOS) {
            loaded = true;
            loadedAt = now;
            try {
                value = source.get();
            } catch (RuntimeException failure) {
                LOG.debug("Reading {} for the metrics failed: {}", name, failure.toString());
            }
        }
        return value;
    }
}
