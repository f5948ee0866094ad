package dev.escapement.kubernetes.operator;

import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says once that something does not work and once that it does again: an API server that is away for a minute is one
 * line in the log, not a thousand.
 */
final class Troubles {

    private static final Logger LOG = LoggerFactory.getLogger(Troubles.class);

    private final String what;
    private final AtomicInteger failures = new AtomicInteger();

    Troubles(String what) {
        this.what = what;
    }

    void failed(String whom, Throwable failure) {
        if (failures.getAndIncrement() == 0) {
            LOG.warn("{} does not work for {}, trying again until it does: {}", what, whom, failure.toString());
        }
        LOG.debug("{} does not work for {}", what, whom, failure);
    }

    void worked() {
        if (failures.get() > 0 && failures.getAndSet(0) > 0) {
            LOG.info("{} works again", what);
        }
    }
}
