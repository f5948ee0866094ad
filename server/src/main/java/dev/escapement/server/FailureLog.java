package dev.escapement.server;

import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Says once that something does not work and once that it does again: a database that is away for a minute is one line
 * in the log, not a thousand.
 */
public final class FailureLog {

    private static final Logger LOG = LoggerFactory.getLogger(FailureLog.class);

    private final String activity;
    private final AtomicInteger consecutiveFailures = new AtomicInteger();

    /** @param what is not working, for people */
    public FailureLog(String what) {
        this.activity = what;
    }

    /** It did not work; it will be tried again. */
    public void recordFailure(Throwable failure) {
        log(LOG.atLevel(consecutiveFailures.getAndIncrement() == 0 ? Level.WARN : Level.DEBUG), failure);
    }

    /**
     * It did not work for this execution; it will be tried again.
     *
     * @param attempt the how-manieth failure in a row it is for this execution
     */
    public void recordFailure(WorkItem work, int attempt, Throwable failure) {
        // One execution that never works must not fill the log, nor hide that others stopped working.
        boolean news = attempt == 1 && consecutiveFailures.getAndIncrement() == 0;
        log(
                LOG.atLevel(news ? Level.WARN : Level.DEBUG)
                        .addKeyValue("execution", work.execution())
                        .addKeyValue(
                                "target", work.target().map(Object::toString).orElse("-")),
                failure);
    }

    private void log(LoggingEventBuilder line, Throwable failure) {
        line.setCause(failure).log("{} does not work, trying again until it does: {}", activity, failure.toString());
    }

    /** It works, for whatever it did not work before. */
    public void recordSuccess() {
        int before = consecutiveFailures.getAndSet(0);
        if (before > 0) {
            LOG.info("{} works again", activity);
        }
    }
}
