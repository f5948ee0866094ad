package dev.escapement.server.http.system;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.escapement.api.schema.SchemaValidator;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Builds the OpenAPI document from {@code openapi.yaml} and the schemas of the {@code api} module: an object with the
 * key {@code x-schema} gets the schema of that kind, and its other keys are merged over it.
 */
public final class OpenApiDocument {

    private static final String KIND_KEY = "x-schema";
    private static final String KUBERNETES_PREFIX = "x-kubernetes-";
    private static final YAMLMapper YAML = new YAMLMapper();

    private static byte @Nullable [] yaml;

    private final JsonNode durationPattern;

    private OpenApiDocument(JsonNode durationPattern) {
        this.durationPattern = durationPattern;
    }

    /** Returns the document as YAML in UTF-8. It is built once, because callers need no token. */
    static synchronized byte[] yaml() throws IOException {
        byte[] built = yaml == null ? YAML.writeValueAsBytes(build()) : yaml;
        yaml = built;
        return built;
    }

    /** Returns the document as a tree. */
    public static JsonNode build() throws IOException {
        try (InputStream routes =
                OpenApiDocument.class.getResourceAsStream("/dev/escapement/server/http/openapi.yaml")) {
            JsonNode document = YAML.readTree(Objects.requireNonNull(routes, "the jar has no openapi.yaml"));
            return new OpenApiDocument(document.at("/components/schemas/Duration/pattern")).resolve(document);
        }
    }

    private JsonNode resolve(JsonNode node) throws IOException {
        if (node instanceof ArrayNode list) {
            for (int i = 0; i < list.size(); i++) {
                list.set(i, resolve(list.get(i)));
            }
        } else if (node instanceof ObjectNode object) {
            JsonNode kind = object.remove(KIND_KEY);
            for (var field : object.properties()) {
                field.setValue(resolve(field.getValue()));
            }
            if (kind != null) {
                ObjectNode schema = (ObjectNode) YAML.readTree(SchemaValidator.text(kind.asText()));
                adapt(schema);
                merge(schema, object);
                return schema;
            }
        }
        return node;
    }

    /** Writes in OpenAPI's terms what holds for every schema: unknown fields are rejected, null counts as missing. */
    private void adapt(ObjectNode schema) {
        JsonNode properties = schema.path("properties");
        if (properties.isObject() && !schema.has(KUBERNETES_PREFIX + "preserve-unknown-fields")) {
            schema.putObject("additionalProperties").put("type", "null");
        }
        schema.properties().removeIf(keyword -> keyword.getKey().startsWith(KUBERNETES_PREFIX));
        if (schema.path("format").asText().equals("duration")) {
            // OpenAPI means ISO-8601 only.
            schema.remove("format");
            schema.set("pattern", durationPattern);
        }
        Set<String> required = new HashSet<>();
        schema.path("required").forEach(name -> required.add(name.asText()));
        for (var property : properties.properties()) {
            adapt((ObjectNode) property.getValue());
            if (!required.contains(property.getKey())) {
                allowNull((ObjectNode) property.getValue());
            }
        }
        for (String nested : new String[] {"items", "additionalProperties"}) {
            if (schema.get(nested) instanceof ObjectNode inner) {
                adapt(inner);
            }
        }
    }

    private static void allowNull(ObjectNode property) {
        if (property.path("type").isTextual() && !property.path("readOnly").asBoolean()) {
            String type = property.path("type").asText();
            property.putArray("type").add(type).add("null");
            if (property.get("enum") instanceof ArrayNode values) {
                values.addNull();
            }
        }
    }

    private static void merge(ObjectNode schema, ObjectNode changes) {
        for (var change : changes.properties()) {
            if (schema.get(change.getKey()) instanceof ObjectNode inner
                    && change.getValue() instanceof ObjectNode innerChanges) {
                merge(inner, innerChanges);
            } else {
                schema.set(change.getKey(), change.getValue());
            }
        }
    }
}
