package dev.escapement.server.worker;

import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says once that something does not work and once that it does again: a database that is away for a minute is one line
 * in the log, not a thousand.
 */
public final class Troubles {

    private static final Logger LOG = LoggerFactory.getLogger(Troubles.class);

    private final String what;
    private final AtomicInteger failures = new AtomicInteger();

    /** @param what is not working, for people */
    public Troubles(String what) {
        this.what = what;
    }

    /** It did not work for this execution; it will be tried again. */
    public void failed(Work work, Throwable failure) {
        if (failures.getAndIncrement() == 0) {
            LOG.atWarn()
                    .addKeyValue("execution", work.execution())
                    .addKeyValue("target", work.target().map(Object::toString).orElse(""))
                    .setCause(failure)
                    .log("{} does not work, trying again until it does: {}", what, failure.toString());
        } else {
            LOG.atDebug()
                    .addKeyValue("execution", work.execution())
                    .setCause(failure)
                    .log("{} still does not work: {}", what, failure.toString());
        }
    }

    /** It did not work; it will be tried again. */
    public void failed(Throwable failure) {
        if (failures.getAndIncrement() == 0) {
            LOG.warn("{} does not work, trying again until it does: {}", what, failure.toString(), failure);
        } else {
            LOG.debug("{} still does not work: {}", what, failure.toString(), failure);
        }
    }

    /** It worked. */
    public void worked() {
        if (failures.get() == 0) {
            return;
        }
        int before = failures.getAndSet(0);
        if (before > 0) {
            LOG.info("{} works again, after {} failures", what, before);
        }
    }
}
