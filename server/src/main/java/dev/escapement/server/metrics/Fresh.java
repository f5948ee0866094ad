package dev.escapement.server.metrics;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Something that costs a question, read again when what is known is some seconds old. */
final class Fresh<T> {

    private static final Logger LOG = LoggerFactory.getLogger(Fresh.class);
    private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final Supplier<T> question;
    private final LongSupplier nanos;
    private T known;
    private boolean asked;
    private long askedAt;

    Fresh(Supplier<T> question, T unknown, LongSupplier nanos) {
        this.question = question;
        this.known = unknown;
        this.nanos = nanos;
    }

    /** What cannot be read stays as it was. */
    synchronized T get() {
        long now = nanos.getAsLong();
        if (!asked || now - askedAt >= FRESH_NANOS) {
            asked = true;
            askedAt = now;
            try {
                known = question.get();
            } catch (RuntimeException failure) {
                LOG.debug("it could not be read for the metrics: {}", failure.toString());
            }
        }
        return known;
    }
}
