package dev.escapement.server.config;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.LayoutBase;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import dev.escapement.common.Json;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.KeyValuePair;

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
            LayoutWrappingEncoder<ILoggingEvent> encoder = new LayoutWrappingEncoder<>();
            encoder.setContext(context);
            encoder.setCharset(StandardCharsets.UTF_8);
            encoder.setLayout(new JsonLogLayout());
            encoder.start();
            stream.stop();
            stream.setEncoder(encoder);
            stream.start();
        }
    }

    /**
     * Writes each log event as one line of JSON: time, level, message, key-value pairs, logger, thread, stack trace.
     */
    public static final class JsonLogLayout extends LayoutBase<ILoggingEvent> {

        @Override
        public String doLayout(ILoggingEvent event) {
            Map<String, Object> line = new LinkedHashMap<>();
            line.put("time", event.getInstant().toString());
            line.put("level", event.getLevel().toString());
            line.put("message", String.valueOf(event.getFormattedMessage()));
            if (event.getKeyValuePairs() != null) {
                for (KeyValuePair pair : event.getKeyValuePairs()) {
                    line.put(pair.key, String.valueOf(pair.value));
                }
            }
            line.put("logger", event.getLoggerName());
            line.put("thread", event.getThreadName());
            if (event.getThrowableProxy() != null) {
                line.put("trace", ThrowableProxyUtil.asString(event.getThrowableProxy()));
            }
            return Json.write(line) + "\n";
        }
    }
}
