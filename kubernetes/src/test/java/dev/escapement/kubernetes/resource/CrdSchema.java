package dev.escapement.kubernetes.resource;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** Compares a schema with documents: its fields by path, and the fields of a document that it lacks. */
final class CrdSchema {

    private static final String ITEM_SUFFIX = "[]";

    private final JSONSchemaProps root;

    CrdSchema(JSONSchemaProps root) {
        this.root = root;
    }

    /** Returns every field by its path, such as {@code status.conditions[].type}. */
    SortedMap<String, JSONSchemaProps> fields() {
        SortedMap<String, JSONSchemaProps> fields = new TreeMap<>();
        collect("", root, fields);
        return fields;
    }

    private static void collect(String path, JSONSchemaProps schema, Map<String, JSONSchemaProps> fields) {
        if (!path.isEmpty()) {
            fields.put(path, schema);
        }
        schema.getProperties().forEach((name, field) -> collect(join(path, name), field, fields));
        itemSchema(schema).ifPresent(item -> collect(path + ITEM_SUFFIX, item, fields));
    }

    List<String> enumValues(String path) {
        JSONSchemaProps field = fields().get(path);
        if (field == null) {
            throw new IllegalArgumentException("the schema has no field " + path);
        }
        return field.getEnum().stream().map(JsonNode::asText).toList();
    }

    /** Returns the paths of all values in a document. */
    static SortedSet<String> pathsOf(Map<String, ?> document) {
        SortedSet<String> paths = new TreeSet<>();
        collect("", document, paths);
        return paths;
    }

    private static void collect(String path, Object value, Set<String> paths) {
        if (!path.isEmpty()) {
            paths.add(path);
        }
        if (value instanceof Map<?, ?> map) {
            map.forEach((name, inner) -> collect(join(path, String.valueOf(name)), inner, paths));
        } else if (value instanceof List<?> list) {
            list.forEach(item -> collect(path + ITEM_SUFFIX, item, paths));
        }
    }

    /** Returns what this schema would reject or drop; CEL rules are checked only by an API server. */
    List<String> findProblems(Map<String, ?> document) {
        List<String> problems = new ArrayList<>();
        check("", document, root, problems);
        return problems;
    }

    private static void check(String path, Object value, JSONSchemaProps schema, List<String> problems) {
        if (!matches(value, schema)) {
            problems.add("%s is %s: must be %s %s %s"
                    .formatted(path, value, schema.getType(), schema.getFormat(), schema.getEnum()));
        }
        if (value instanceof Map<?, ?> map) {
            schema.getRequired().stream()
                    .filter(name -> !map.containsKey(name))
                    .forEach(name -> problems.add(join(path, name) + " is required and missing"));
            map.forEach((name, inner) -> memberSchema(path, String.valueOf(name), schema)
                    .ifPresentOrElse(
                            field -> check(join(path, String.valueOf(name)), inner, field, problems),
                            () -> problems.add(join(path, String.valueOf(name)) + " is not in the schema")));
        } else if (value instanceof List<?> list) {
            list.forEach(
                    item -> itemSchema(schema).ifPresent(field -> check(path + ITEM_SUFFIX, item, field, problems)));
        }
    }

    /** The API server knows the fields of metadata itself. */
    private static Optional<JSONSchemaProps> memberSchema(String path, String name, JSONSchemaProps schema) {
        if (path.startsWith("metadata")) {
            return Optional.of(new JSONSchemaProps());
        }
        return Optional.ofNullable(schema.getProperties().get(name)).or(() -> itemSchema(schema));
    }

    private static Optional<JSONSchemaProps> itemSchema(JSONSchemaProps schema) {
        return schema.getItems() != null
                ? Optional.of(schema.getItems().getSchema())
                : Optional.ofNullable(schema.getAdditionalProperties()).map(any -> any.getSchema());
    }

    private static boolean matches(Object value, JSONSchemaProps schema) {
        boolean type = switch (String.valueOf(schema.getType())) {
            case "object" -> value instanceof Map;
            case "array" -> value instanceof List;
            case "string" -> value instanceof String text && matches(text, schema);
            case "integer" ->
                value instanceof Integer
                        || (value instanceof Long number
                                && (hasFormat(schema, "int64") || number == number.intValue()));
            case "number" -> value instanceof Number;
            case "boolean" -> value instanceof Boolean;
            default -> true;
        };
        return type && (schema.getMinimum() == null || ((Number) value).doubleValue() >= schema.getMinimum());
    }

    private static boolean matches(String text, JSONSchemaProps schema) {
        boolean listed = schema.getEnum().isEmpty()
                || schema.getEnum().stream()
                        .anyMatch(allowed -> allowed.asText().equals(text));
        boolean tooLong = schema.getMaxLength() != null && text.length() > schema.getMaxLength();
        return listed && !tooLong && (!hasFormat(schema, "date-time") || isTime(text));
    }

    private static boolean hasFormat(JSONSchemaProps schema, String format) {
        return format.equals(schema.getFormat());
    }

    private static boolean isTime(String text) {
        try {
            OffsetDateTime.parse(text);
            return true;
        } catch (DateTimeParseException e) {
            return false;
        }
    }

    private static String join(String path, String name) {
        return path.isEmpty() ? name : path + "." + name;
    }
}
