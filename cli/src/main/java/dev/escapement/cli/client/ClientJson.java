package dev.escapement.cli.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;

/** Reads and writes JSON of a server. A missing field, or one of another type, is empty. */
public final class ClientJson {

    /** Bounds the stack that a hostile document can use. */
    private static final int MAX_NESTING_DEPTH = 100;

    static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    static {
        MAPPER.getFactory()
                .setStreamReadConstraints(StreamReadConstraints.builder()
                        .maxNestingDepth(MAX_NESTING_DEPTH)
                        .build());
    }

    private ClientJson() {}

    public static ObjectNode createObject() {
        return MAPPER.createObjectNode();
    }

    static JsonNode read(byte[] bytes) throws IOException {
        return MAPPER.readTree(bytes);
    }

    static JsonNode read(String text) throws JsonProcessingException {
        return MAPPER.readTree(text);
    }

    static byte[] write(JsonNode node) {
        try {
            return MAPPER.writeValueAsBytes(node);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException("a JSON tree could not be written", impossible);
        }
    }

    /** Returns the text at a pointer such as {@code /status/phase}; empty if missing. */
    public static String text(JsonNode node, String pointer) {
        JsonNode found = node.at(pointer);
        return found.isValueNode() && !found.isNull() ? found.asText() : "";
    }

    /** Returns the instant at a pointer; empty if missing or invalid. */
    public static Optional<Instant> instant(JsonNode node, String pointer) {
        try {
            return Optional.of(Instant.parse(text(node, pointer)));
        } catch (DateTimeParseException none) {
            return Optional.empty();
        }
    }
}
