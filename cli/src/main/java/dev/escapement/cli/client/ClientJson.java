package dev.escapement.cli.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.common.Json;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads documents of a server, as trees or as records. A missing value is an empty text. */
public final class ClientJson {

    private ClientJson() {}

    /**
     * Reads a document as a record.
     *
     * @throws ApiException if a value has another type than in this version
     */
    public static <T> T read(JsonNode document, Class<T> type) {
        try {
            return Json.mapper().treeToValue(document, type);
        } catch (JsonProcessingException mismatch) {
            throw new ApiException(
                    ApiException.Kind.SERVER_ERROR,
                    "the response has an unexpected value; the server has another version than this program: "
                            + mismatch.getOriginalMessage());
        }
    }

    /** Returns the record, or one without values if it is missing. */
    public static <T> T orEmpty(@Nullable T part, Class<T> type) {
        return part == null ? read(Json.mapper().createObjectNode(), type) : part;
    }

    public static String text(@Nullable Object value) {
        return value instanceof String || value instanceof Number ? value.toString() : "";
    }

    /** Returns the text at a pointer such as {@code /status/phase}; empty if it is missing or of another type. */
    public static String text(JsonNode node, String pointer) {
        JsonNode found = node.at(pointer);
        return found.isValueNode() && !found.isNull() ? found.asText() : "";
    }

    /** Returns {@code BASELINE_INTERVAL} as people say it. */
    public static String words(@Nullable String constant) {
        return text(constant).toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    /** Returns an empty instant for one that is missing or invalid. */
    public static Optional<Instant> instant(@Nullable String value) {
        try {
            return Optional.of(Instant.parse(text(value)));
        } catch (DateTimeParseException none) {
            return Optional.empty();
        }
    }

    /** Returns the instant at a pointer; empty if missing or invalid. */
    public static Optional<Instant> instant(JsonNode node, String pointer) {
        return instant(text(node, pointer));
    }
}
