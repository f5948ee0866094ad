package dev.escapement.storage.jdbc;

import org.flywaydb.core.api.logging.Log;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the migration tool tells: only what is wrong is for people, the rest is for debugging. */
final class FlywayLogAdapter implements Log {

    private final Logger log;

    FlywayLogAdapter(Class<?> source) {
        this.log = LoggerFactory.getLogger(source);
    }

    @Override
    public void debug(String message) {
        log.trace(message);
    }

    @Override
    public void info(String message) {
        log.debug(message);
    }

    @Override
    public void notice(String message) {
        log.debug(message);
    }

    @Override
    public void warn(String message) {
        log.warn(message);
    }

    /** What failed is thrown as well, and told by whoever catches it. */
    @Override
    public void error(String message) {
        log.debug(message);
    }

    @Override
    public void error(String message, Exception cause) {
        log.debug(message, cause);
    }
}
