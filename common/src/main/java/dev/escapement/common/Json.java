package dev.escapement.common;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes JSON the same way everywhere: trees of maps, lists, strings, numbers and booleans, and the records
 * of the {@code api} module. Reading refuses duplicate keys, anything after the document, and deep nesting. Writing
 * keeps the order of maps and of record components. Thread-safe.
 */
public final class Json {

    /** How deeply objects and arrays may be nested. */
    public static final int MAX_NESTING_DEPTH = 100;

    private static final JsonMapper MAPPER = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(MAX_NESTING_DEPTH)
                            .build())
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    private static final ObjectWriter WRITER = MAPPER.writer();
    private static final ObjectWriter SORTING_WRITER = WRITER.with(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS);
    private static final ObjectWriter ASCII_WRITER = MAPPER.writer().with(JsonWriteFeature.ESCAPE_NON_ASCII);
    private static final TypeReference<Map<String, Object>> MAP = new TypeReference<>() {};

    private Json() {}

    /** Returns the shared mapper, for what the other methods do not offer. Do not change its configuration. */
    public static JsonMapper mapper() {
        return MAPPER;
    }

    /**
     * Writes a tree or a record on one line. The result can always be encoded in UTF-8: half a surrogate pair is
     * written as an escape sequence.
     *
     * @throws IllegalArgumentException if the value has parts that have no JSON form, such as an {@code Optional}
     */
    public static String write(Object value) {
        return write(value, WRITER);
    }

    private static String write(Object value, ObjectWriter writer) {
        try {
            String text = writer.writeValueAsString(value);
            return StandardCharsets.UTF_8.newEncoder().canEncode(text) ? text : ASCII_WRITER.writeValueAsString(value);
        } catch (JsonProcessingException unsupported) {
            throw new IllegalArgumentException(
                    "cannot be written as JSON: " + unsupported.getOriginalMessage(), unsupported);
        }
    }

    /** Writes the same with the keys of maps sorted, so that equal values give equal texts. */
    public static String writeSorted(Object value) {
        return write(value, SORTING_WRITER);
    }

    /** Writes a tree or a record on one line in UTF-8, as {@link #write} does. */
    public static byte[] writeBytes(Object value) {
        return write(value).getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Reads an object as a record.
     *
     * @throws JsonException if it is not one well-formed JSON object, or a value has the wrong type
     */
    @SuppressWarnings("ConstantValue") // Jackson reads the document "null" as null.
    public static <T> T read(String text, Class<T> type) {
        try {
            T value = MAPPER.readValue(text, type);
            if (value == null) {
                throw new JsonException("not a JSON object: null", null);
            }
            return value;
        } catch (JsonProcessingException malformed) {
            throw exception(malformed);
        }
    }

    /** Converts a record to a tree. */
    public static Map<String, Object> toMap(Object value) {
        return MAPPER.convertValue(value, MAP);
    }

    /**
     * Converts a tree to a record.
     *
     * @throws JsonException if a value has the wrong type
     */
    public static <T> T fromMap(Map<String, ?> tree, Class<T> type) {
        try {
            return MAPPER.convertValue(tree, type);
        } catch (IllegalArgumentException mismatch) {
            if (mismatch.getCause() instanceof JsonProcessingException cause) {
                throw exception(cause);
            }
            throw mismatch;
        }
    }

    private static JsonException exception(JsonProcessingException cause) {
        JsonLocation at = cause.getLocation();
        String place = at == null || at.getLineNr() < 1
                ? ""
                : " (line %d, column %d)".formatted(at.getLineNr(), at.getColumnNr());
        return new JsonException("not valid JSON: " + cause.getOriginalMessage() + place, cause);
    }

    /** Reports text that is not the JSON document it should be. */
    public static final class JsonException extends IllegalArgumentException {
        private static final long serialVersionUID = 1;

        JsonException(String message, @Nullable Throwable cause) {
            super(message, cause);
        }
    }
}
