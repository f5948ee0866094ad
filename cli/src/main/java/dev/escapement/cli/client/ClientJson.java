package dev.escapement.cli.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.escapement.common.Json;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;

/** Reads documents of a server. A missing field, or one of another type, is empty. */
public final class ClientJson {

    private ClientJson() {}

    public static ObjectNode createObject() {
        return Json.mapper().createObjectNode();
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
