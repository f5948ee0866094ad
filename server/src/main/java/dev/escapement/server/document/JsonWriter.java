package dev.escapement.server.document;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.escapement.common.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;

/**
 * Writes trees of maps, lists, strings, numbers, booleans and the records of the {@code api} module as one line of
 * JSON. An empty {@link Optional} in a map is left out.
 */
public final class JsonWriter {

    private static final JsonFactory FACTORY = new JsonFactory();

    private JsonWriter() {}

    /** Writes one line in UTF-8. */
    public static byte[] toBytes(Object tree) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(1024);
        try (JsonGenerator generator = FACTORY.createGenerator(bytes)) {
            writeValue(generator, tree);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return bytes.toByteArray();
    }

    private static void writeValue(JsonGenerator generator, Object value) throws IOException {
        if (value instanceof Map<?, ?> map) {
            writeObject(generator, map);
        } else if (value instanceof Iterable<?> list) {
            generator.writeStartArray();
            for (Object each : list) {
                writeValue(generator, each);
            }
            generator.writeEndArray();
        } else if (value instanceof Number || value instanceof Boolean || value instanceof Record) {
            generator.writeRawValue(Json.write(value));
        } else {
            generator.writeString(String.valueOf(value));
        }
    }

    private static void writeObject(JsonGenerator generator, Map<?, ?> map) throws IOException {
        generator.writeStartObject();
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            Object value = entry.getValue() instanceof Optional<?> maybe ? maybe.orElse(null) : entry.getValue();
            if (value != null) {
                generator.writeFieldName(String.valueOf(entry.getKey()));
                writeValue(generator, value);
            }
        }
        generator.writeEndObject();
    }
}
