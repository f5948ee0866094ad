package dev.escapement.api.schema;

import dev.escapement.api.ApiGroup;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Loads the schemas of this module. The caller brings the YAML parser; see the package description. */
public final class SchemaLoader {

    private static final String PROPERTIES = "properties";

    private SchemaLoader() {}

    /**
     * Returns the YAML text of a schema.
     *
     * @param kind such as {@code WorkflowExecution}
     * @throws IllegalArgumentException if there is no such schema
     */
    public static String text(String kind) {
        try (InputStream file = SchemaLoader.class.getResourceAsStream(kind + ".yaml")) {
            if (file == null) {
                throw new IllegalArgumentException("there is no schema for kind \"" + kind + "\"");
            }
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException("the schema of " + kind + " cannot be read", unreadable);
        }
    }

    /**
     * Returns a validator for whole documents of a kind.
     *
     * @param yamlParser returns a YAML document as plain maps, lists, strings, numbers and booleans
     */
    public static SchemaValidator load(String kind, Function<String, Map<String, Object>> yamlParser) {
        return new SchemaValidator(yamlParser.apply(text(kind)));
    }

    /**
     * Returns a validator for resources as users send them. In addition to the schema of the kind, {@code apiVersion}
     * and {@code kind} are required and {@code metadata} is checked, as the API server does. A {@code status} is
     * ignored.
     *
     * @param kind a custom resource, such as {@code WorkflowExecution}
     * @param yamlParser as for {@link #load}
     */
    public static SchemaValidator loadForRequests(String kind, Function<String, Map<String, Object>> yamlParser) {
        Map<String, Object> schema = new LinkedHashMap<>(yamlParser.apply(text(kind)));
        Map<String, Object> properties = new LinkedHashMap<>();
        if (schema.get(PROPERTIES) instanceof Map<?, ?> given) {
            given.forEach((name, property) -> properties.put(String.valueOf(name), property));
        }
        properties.put("apiVersion", constant("the version of the schema", ApiGroup.API_VERSION));
        properties.put("kind", constant("the kind of the resource", kind));
        properties.put("metadata", yamlParser.apply(text("ObjectMetadata")));
        properties.put("status", Map.of("x-kubernetes-preserve-unknown-fields", true));
        schema.put(PROPERTIES, properties);
        schema.put("required", List.of("apiVersion", "kind", "spec"));
        return new SchemaValidator(schema);
    }

    private static Map<String, Object> constant(String description, String value) {
        return Map.of("type", "string", "description", description + ", " + value, "enum", List.of(value));
    }
}
