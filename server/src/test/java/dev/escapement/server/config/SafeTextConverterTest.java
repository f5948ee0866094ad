package dev.escapement.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.encoder.Encoder;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.event.KeyValuePair;

/** The log as it is configured shows no control characters of clients, in text and in JSON. */
class SafeTextConverterTest {

    private static final String HOSTILE = "evil\u001b[31m\u0007.example\r\n2026-11-17T00:00:00Z INFO  forged\u202e";

    private final LoggerContext context = new LoggerContext();

    private LoggingEvent event() {
        LoggingEvent event = new LoggingEvent(
                "Test",
                context.getLogger("test"),
                Level.WARN,
                "Bad Host " + HOSTILE,
                new IllegalArgumentException("bad " + HOSTILE),
                new Object[0]);
        event.setKeyValuePairs(List.of(new KeyValuePair("host", HOSTILE)));
        return event;
    }

    private static void assertSafe(String text) {
        assertThat(text).contains("evil").doesNotContain("\u001b", "\u0007", "\r", "\u202e");
    }

    @Test
    void configuredPatternReplacesControlCharacters() throws Exception {
        JoranConfigurator configurator = new JoranConfigurator();
        configurator.setContext(context);
        URL file = Objects.requireNonNull(getClass().getResource("/logback.xml"));
        configurator.doConfigure(file);
        var appender = (OutputStreamAppender<ILoggingEvent>)
                context.getLogger(Logger.ROOT_LOGGER_NAME).getAppender("STDERR");
        Encoder<ILoggingEvent> encoder = appender.getEncoder();
        String text = new String(encoder.encode(event()), StandardCharsets.UTF_8);
        assertSafe(text);
        assertThat(text.lines().findFirst().orElseThrow()).contains("WARN", "Bad Host evil", "forged", "host=");
        assertThat(text).doesNotContain("%n").contains("\n\tat ");
    }

    @Test
    void jsonEscapesControlCharacters() {
        assertSafe(new LoggingConfiguration.JsonLogLayout()
                .doLayout(event())
                .replace("\\r", "")
                .replace("\u202e", ""));
    }
}
