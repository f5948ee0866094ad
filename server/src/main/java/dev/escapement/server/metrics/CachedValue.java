package dev.escapement.server.metrics;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Something that costs a question, read again when what is known is some seconds old. */
final class CachedValue<T> {

    private static final Logger LOG = LoggerFactory.getLogger(CachedValue.class);
    private static final long TTL_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final Supplier<T> source;
    private final LongSupplier ticker;
    private T value;
    private boolean loaded;
    private long loadedAt;

    CachedValue(Supplier<T> question, T unknown, LongSupplier nanos) {
        this.source = question;
        this.value = unknown;
        this.ticker = nanos;
    }

    /** What cannot be read stays as it was. */
    synchronized T get() {
        long now = ticker.getAsLong();
        if (!loaded || now - loadedAt >= TTL_NANOS) {
            loaded = true;
            loadedAt = now;
            try {
                value = source.get();
            } catch (RuntimeException failure) {
                LOG.debug("it could not be read for the metrics: {}", failure.toString());
            }
        }
        return value;
    }
}
