package dev.escapement.server.document;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.escapement.common.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

/**
 * Writes trees of maps, lists, strings, numbers, booleans and the records of the {@code api} module as JSON. An empty
 * {@link Optional} is left out.
 */
public final class JsonWriter {

    private static final JsonFactory FACTORY = new JsonFactory();

    private JsonWriter() {}

    /** Writes one line. */
    public static String write(Object tree) {
        StringWriter text = new StringWriter();
        write(tree, text);
        return text.toString();
    }

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

    /** Writes one line with a line break at its end. */
    public static String toLine(Object tree) {
        return new String(toBytes(tree), StandardCharsets.UTF_8) + "\n";
    }

    private static void write(Object tree, Writer out) {
        try (JsonGenerator generator = FACTORY.createGenerator(out)) {
            writeValue(generator, tree);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
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
        } else if (value instanceof Number number) {
            generator.writeNumber(number.toString());
        } else if (value instanceof Boolean truth) {
            generator.writeBoolean(truth);
        } else if (value instanceof Record document) {
            generator.writeRawValue(Json.write(document));
        } else {
            generator.writeString(String.valueOf(value));
        }
    }

    private static void writeObject(JsonGenerator generator, Map<?, ?> map) throws IOException {
        generator.writeStartObject();
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            Optional<?> value =
                    entry.getValue() instanceof Optional<?> maybe ? maybe : Optional.ofNullable(entry.getValue());
            if (value.isPresent()) {
                generator.writeFieldName(String.valueOf(entry.getKey()));
                writeValue(generator, value.get());
            }
        }
        generator.writeEndObject();
    }
}
