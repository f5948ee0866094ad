package dev.escapement.api.schema;

import dev.escapement.api.ApiGroup;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Checks documents (trees of maps, lists, strings, numbers and booleans) against the schema of their kind. Reports all
 * problems at once. A value that is null counts as absent. The caller brings the YAML parser; see the package
 * description. Immutable and thread-safe.
 */
public final class SchemaValidator {

    /** How many problems of one document are listed. */
    public static final int MAX_VIOLATIONS = 100;

    private final SchemaNode root;

    /**
     * @param schema a structural OpenAPI v3 schema as a tree
     * @throws IllegalArgumentException if it has a keyword that is not supported, or a rule that {@link CelRules} does
     *     not have
     */
    public SchemaValidator(Map<String, ?> schema) {
        root = SchemaNode.parse("", schema);
    }

    /**
     * Returns the YAML text of a schema.
     *
     * @param kind such as {@code WorkflowExecution}
     * @throws IllegalArgumentException if there is no such schema
     */
    public static String text(String kind) {
        try (InputStream file = SchemaValidator.class.getResourceAsStream(kind + ".yaml")) {
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
        if (schema.get("properties") instanceof Map<?, ?> given) {
            given.forEach((name, property) -> properties.put(String.valueOf(name), property));
        }
        properties.put("apiVersion", constant("the version of the schema", ApiGroup.API_VERSION));
        properties.put("kind", constant("the kind of the resource", kind));
        properties.put("metadata", yamlParser.apply(text("ObjectMetadata")));
        properties.put("status", Map.of("x-kubernetes-preserve-unknown-fields", true));
        schema.put("properties", properties);
        schema.put("required", List.of("apiVersion", "kind", "spec"));
        return new SchemaValidator(schema);
    }

    private static Map<String, Object> constant(String description, String value) {
        return Map.of("type", "string", "description", description + ", " + value, "enum", List.of(value));
    }

    /** Returns the problems of a document; empty if there is none. */
    public List<Violation> validate(Map<String, ?> document) {
        return validate(document, false);
    }

    /** Returns the problems of a document that a user sends: read-only fields may be in it and are not checked. */
    public List<Violation> validateRequest(Map<String, ?> document) {
        return validate(document, true);
    }

    private List<Violation> validate(Map<String, ?> document, boolean request) {
        List<Violation> all = new ArrayList<>();
        new NodeValidator(request, all).check("", root, document);
        if (all.size() <= MAX_VIOLATIONS) {
            return List.copyOf(all);
        }
        List<Violation> shown = new ArrayList<>(all.subList(0, MAX_VIOLATIONS));
        shown.add(Violation.of("", (all.size() - MAX_VIOLATIONS) + " more problems are not listed"));
        return List.copyOf(shown);
    }
}
