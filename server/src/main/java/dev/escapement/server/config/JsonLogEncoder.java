package dev.escapement.server.config;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.encoder.EncoderBase;
import dev.escapement.common.Json;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.event.KeyValuePair;

/** Writes each log event as one line of JSON: time, level, message, key-value pairs, logger, thread, stack trace. */
public final class JsonLogEncoder extends EncoderBase<ILoggingEvent> {

    @Override
    public byte[] encode(ILoggingEvent event) {
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
        return (Json.write(line) + "\n").getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public byte[] headerBytes() {
        return new byte[0];
    }

    @Override
    public byte[] footerBytes() {
        return new byte[0];
    }
}
