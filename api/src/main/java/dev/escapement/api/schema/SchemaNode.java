package dev.escapement.api.schema;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One schema object, parsed. It knows the keywords that the schemas of this module use and refuses all others, so that
 * no keyword is silently ignored.
 *
 * @param type empty if any type is allowed
 * @param values the schema of the values of an object that is a map
 * @param keepsUnknown whether fields that are not in {@code properties} are allowed
 */
record SchemaNode(
        String type,
        String description,
        String format,
        boolean readOnly,
        boolean keepsUnknown,
        List<String> required,
        Map<String, SchemaNode> properties,
        @Nullable SchemaNode values,
        @Nullable SchemaNode items,
        List<Object> allowed,
        @Nullable Pattern pattern,
        @Nullable Number minimum,
        @Nullable Number maximum,
        @Nullable Number minLength,
        @Nullable Number maxLength,
        @Nullable Number maxProperties,
        List<Rule> rules) {

    /** The last three are for readers, and for the API server alone. */
    private static final Set<String> KEYWORDS = Set.of(("type description format nullable readOnly required properties"
                    + " additionalProperties items enum pattern minimum maximum minLength maxLength maxProperties"
                    + " x-kubernetes-preserve-unknown-fields x-kubernetes-validations"
                    + " default x-kubernetes-list-type x-kubernetes-list-map-keys")
            .split(" "));

    /**
     * A rule of {@code x-kubernetes-validations} that is about one version of a document.
     *
     * @param fieldPath the field that the rule is about, below the node; empty for the node itself
     */
    record Rule(Predicate<Object> condition, String message, String fieldPath) {}

    static SchemaNode parse(String path, Map<?, ?> schema) {
        for (Object keyword : schema.keySet()) {
            if (!KEYWORDS.contains(String.valueOf(keyword))) {
                throw new IllegalArgumentException("schema %s has the keyword %s, which is not supported"
                        .formatted(path.isEmpty() ? "root" : path, keyword));
            }
        }
        Map<String, SchemaNode> properties = new LinkedHashMap<>();
        if (schema.get("properties") instanceof Map<?, ?> given) {
            given.forEach((name, property) ->
                    properties.put(String.valueOf(name), parse(path + "." + name, (Map<?, ?>) property)));
        }
        return new SchemaNode(
                text(schema, "type"),
                text(schema, "description"),
                text(schema, "format"),
                Boolean.TRUE.equals(schema.get("readOnly")),
                Boolean.TRUE.equals(schema.get("x-kubernetes-preserve-unknown-fields")),
                list(schema, "required", String::valueOf),
                properties,
                child(path + ".*", schema.get("additionalProperties")),
                child(path + "[]", schema.get("items")),
                list(schema, "enum", value -> value),
                schema.get("pattern") instanceof String pattern ? compile(pattern) : null,
                number(schema, "minimum"),
                number(schema, "maximum"),
                number(schema, "minLength"),
                number(schema, "maxLength"),
                number(schema, "maxProperties"),
                rules(schema));
    }

    private static List<Rule> rules(Map<?, ?> schema) {
        return list(schema, "x-kubernetes-validations", rule -> (Map<?, ?>) rule).stream()
                .filter(rule -> !text(rule, "rule").contains("oldSelf"))
                .map(rule -> new Rule(
                        CelRules.get(text(rule, "rule")),
                        text(rule, "message"),
                        text(rule, "fieldPath").replaceFirst("^\\.", "")))
                .toList();
    }

    private static @Nullable SchemaNode child(String path, @Nullable Object schema) {
        return schema instanceof Map<?, ?> map ? parse(path, map) : null;
    }

    private static String text(Map<?, ?> schema, String keyword) {
        return schema.get(keyword) instanceof String text ? text : "";
    }

    /** In a schema {@code $} is the very end; Java's also matches before a line break at the end. */
    private static Pattern compile(String pattern) {
        return Pattern.compile(pattern.replaceFirst("\\$$", "\\\\z"));
    }

    private static @Nullable Number number(Map<?, ?> schema, String keyword) {
        return schema.get(keyword) instanceof Number number ? number : null;
    }

    private static <T> List<T> list(Map<?, ?> schema, String keyword, Function<Object, T> element) {
        return schema.get(keyword) instanceof List<?> list
                ? list.stream().<T>map(element).toList()
                : List.of();
    }
}
