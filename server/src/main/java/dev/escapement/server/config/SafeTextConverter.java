package dev.escapement.server.config;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.pattern.CompositeConverter;
import dev.escapement.common.SafeText;

/**
 * Makes the text of a log event safe for terminals and log files, whatever a client has sent: {@code %safe(…){line}}
 * returns one line, {@code %safe(…){lines}} keeps line breaks and tabs.
 */
public final class SafeTextConverter extends CompositeConverter<ILoggingEvent> {

    private static final int MAX_LENGTH = 16 << 10;

    @Override
    protected String transform(ILoggingEvent event, String text) {
        return "lines".equals(getFirstOption()) ? SafeText.multiLine(text) : SafeText.sanitize(text, MAX_LENGTH);
    }
}
