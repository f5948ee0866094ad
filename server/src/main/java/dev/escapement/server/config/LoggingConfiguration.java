package dev.escapement.server.config;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.OutputStreamAppender;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Applies the log settings to the configuration in {@code logback.xml}. */
public final class LoggingConfiguration {

    private LoggingConfiguration() {}

    /**
     * Sets the format of all log events and the level of this program's loggers.
     *
     * @param format {@code text} or {@code json}
     * @param level as in the settings
     */
    public static void configure(String format, String level) {
        if (!(LoggerFactory.getILoggerFactory() instanceof LoggerContext context)) {
            return;
        }
        context.getLogger("dev.escapement").setLevel(Level.toLevel(level));
        context.getLogger("escapement").setLevel(Level.toLevel(level));
        if (format.equals("json")) {
            context.getLogger(Logger.ROOT_LOGGER_NAME)
                    .iteratorForAppenders()
                    .forEachRemaining(appender -> useJson(context, appender));
        }
    }

    /** Runs an action while a logger is off. */
    public static void runWithLoggerOff(String logger, Runnable action) {
        if (!(LoggerFactory.getILoggerFactory() instanceof LoggerContext context)) {
            action.run();
            return;
        }
        context.getLogger(logger).setLevel(Level.OFF);
        try {
            action.run();
        } finally {
            context.getLogger(logger).setLevel(null);
        }
    }

    private static void useJson(LoggerContext context, Appender<ILoggingEvent> appender) {
        if (appender instanceof OutputStreamAppender<ILoggingEvent> stream) {
            JsonLogEncoder encoder = new JsonLogEncoder();
            encoder.setContext(context);
            encoder.start();
            stream.stop();
            stream.setEncoder(encoder);
            stream.start();
        }
    }
}
