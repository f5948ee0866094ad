package dev.escapement.api.schema;

import java.math.BigDecimal;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Walks one document and collects its violations. Not thread-safe; used once.
 *
 * @param request whether read-only fields are skipped
 * @param violations those found are added here
 */
record NodeValidator(boolean request, List<Violation> violations) {

    /** Checks a value and everything below it. */
    void check(String path, SchemaNode node, Object value) {
        int known = violations.size();
        if (!hasType(node, value)) {
            report(path, node, value, mismatch(node, value));
            return;
        }
        if (value instanceof Map<?, ?> object) {
            checkObject(path, node, object);
        } else if (value instanceof List<?> list) {
            checkItems(path, node, list);
        } else if (value instanceof String text) {
            checkText(path, node, text);
        } else if (value instanceof Number number) {
            checkNumber(path, node, number);
        }
        if (!node.allowed().isEmpty() && !node.allowed().contains(value)) {
            report(path, node, value, "must be " + alternatives(node.allowed()));
        }
        // A string that is too long, say, needs no second complaint; a rule of an object is about something else.
        if (value instanceof Map || violations.size() == known) {
            checkRules(path, node, value);
        }
    }

    private static boolean hasType(SchemaNode node, Object value) {
        return switch (node.type()) {
            case "" -> true;
            case "object" -> value instanceof Map;
            case "array" -> value instanceof List;
            case "string" -> value instanceof String;
            case "boolean" -> value instanceof Boolean;
            case "number" -> value instanceof Number;
            case "integer" ->
                value instanceof Number number
                        && decimal(number).stripTrailingZeros().scale() <= 0;
            default -> throw new IllegalArgumentException("schema type " + node.type() + " is not supported");
        };
    }

    private static String mismatch(SchemaNode node, Object value) {
        return switch (node.type()) {
            case "object" -> "must be an object";
            case "array" -> "must be a list";
            case "boolean" -> "must be true or false";
            case "number" -> "must be a number";
            case "integer" -> "must be a whole number";
            default ->
                value instanceof Number || value instanceof Boolean
                        ? "must be a string; write it in quotes"
                        : "must be a string";
        };
    }

    private void checkObject(String path, SchemaNode node, Map<?, ?> object) {
        Set<String> present = new HashSet<>();
        object.forEach((key, value) -> {
            String name = String.valueOf(key);
            SchemaNode field = node.properties().getOrDefault(name, node.values());
            String at = join(path, name);
            if (value == null) {
                return;
            }
            present.add(name);
            if (field != null) {
                if (!(request && field.readOnly())) {
                    check(at, field, value);
                }
            } else if (!node.keepsUnknown() && !node.properties().isEmpty()) {
                report(at, "is not a field (fields: " + String.join(", ", writable(node)) + ")");
            }
        });
        for (String name : node.required()) {
            if (!present.contains(name)) {
                report(join(path, name), missing(node.properties().get(name)));
            }
        }
        Number max = node.maxProperties();
        if (max != null && object.size() > max.longValue()) {
            report(path, "has %d entries: must have at most %s".formatted(object.size(), max));
        }
    }

    private List<String> writable(SchemaNode node) {
        return node.properties().entrySet().stream()
                .filter(property -> !(request && property.getValue().readOnly()))
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Says what a missing field is, in the words of the schema. */
    private static String missing(@Nullable SchemaNode property) {
        String description = property == null ? "" : property.description();
        int end = description.indexOf(". ");
        String sentence = (end < 0 ? description : description.substring(0, end)).replaceFirst("\\.$", "");
        return sentence.isEmpty()
                ? "is missing"
                : "is missing: " + sentence.substring(0, 1).toLowerCase(Locale.ROOT) + sentence.substring(1);
    }

    private void checkItems(String path, SchemaNode node, List<?> list) {
        SchemaNode items = node.items();
        for (int i = 0; items != null && i < list.size(); i++) {
            Object item = list.get(i);
            String at = path + "[" + i + "]";
            if (item == null) {
                report(at, "is null: " + mismatch(items, ""));
            } else {
                check(at, items, item);
            }
        }
    }

    private void checkText(String path, SchemaNode node, String text) {
        int length = text.codePointCount(0, text.length());
        Number max = node.maxLength();
        if (max != null && length > max.longValue()) {
            report(path, "has %d characters: must have at most %s".formatted(length, max));
            return;
        }
        Number min = node.minLength();
        if (min != null && length < min.longValue()) {
            String rule = min.longValue() == 1 ? "must not be empty" : "must have at least " + min + " characters";
            report(path, node, text, rule);
            return;
        }
        if (node.pattern() != null && !node.pattern().matcher(text).find()) {
            report(path, node, text, "must match " + node.pattern().pattern().replace("\\z", "$"));
        }
        StringFormat.findBrokenRule(node.format(), text).ifPresent(rule -> report(path, node, text, rule));
    }

    private void checkNumber(String path, SchemaNode node, Number number) {
        Number min = node.minimum();
        Number max = node.maximum();
        BigDecimal value = decimal(number);
        if (min != null && value.compareTo(decimal(min)) < 0) {
            report(path, node, number, "must be at least " + min);
        }
        if (max != null && value.compareTo(decimal(max)) > 0) {
            report(path, node, number, "must be at most " + max);
        }
        boolean tooLarge = switch (node.format()) {
            case "int32" -> value.abs().compareTo(BigDecimal.valueOf(Integer.MAX_VALUE)) > 0;
            case "int64" -> value.abs().compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0;
            default -> false;
        };
        if (tooLarge) {
            report(path, node, number, "must fit into a number of type " + node.format());
        }
    }

    private void checkRules(String path, SchemaNode node, Object value) {
        for (SchemaNode.Rule rule : node.rules()) {
            if (rule.condition().test(value)) {
                continue;
            }
            if (!rule.fieldPath().isEmpty()) {
                report(join(path, rule.fieldPath()), "is invalid: " + rule.message());
            } else if (value instanceof Map || value instanceof List) {
                report(path, (path.isEmpty() ? "" : "is invalid: ") + rule.message());
            } else {
                report(path, node, value, rule.message());
            }
        }
    }

    private void report(String path, String rule) {
        violations.add(Violation.of(path, rule));
    }

    private void report(String path, SchemaNode node, Object value, String rule) {
        boolean secret = node.format().equals("password");
        violations.add(secret ? new Violation(path, "(hidden)", rule) : Violation.of(path, value, rule));
    }

    private static String alternatives(List<Object> allowed) {
        String listed = allowed.stream()
                .map(String::valueOf)
                .filter(value -> !value.isEmpty())
                .collect(Collectors.joining(", "));
        String choice = allowed.size() == 1 ? listed : "one of " + listed;
        return allowed.contains("") ? choice + ", or empty" : choice;
    }

    private static String join(String path, String name) {
        return path.isEmpty() ? name : path + "." + name;
    }

    private static BigDecimal decimal(Number number) {
        try {
            return new BigDecimal(number.toString());
        } catch (NumberFormatException notFinite) {
            // NaN and infinity are in no range; YAML can write them.
            return BigDecimal.valueOf(Double.MAX_VALUE);
        }
    }
}
