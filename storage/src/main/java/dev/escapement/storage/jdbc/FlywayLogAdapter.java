package dev.escapement.storage.jdbc;

import org.flywaydb.core.api.logging.Log;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Forwards Flyway's log to SLF4J: warnings as they are, everything else at debug level or below. */
record FlywayLogAdapter(Logger log) implements Log {

    FlywayLogAdapter(Class<?> source) {
        this(LoggerFactory.getLogger(source));
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

    /** Flyway also throws what it logs as an error; the caller that catches it reports it. */
    @Override
    public void error(String message) {
        log.debug(message);
    }

    @Override
    public void error(String message, Exception cause) {
        log.debug(message, cause);
    }
}
