package dev.escapement.notifications.config;

import dev.escapement.backoff.DurationText;
import dev.escapement.common.SafeText;
import dev.escapement.storage.SecretText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * A mapping of the settings, read strictly: an unknown key, a missing or an invalid value throws
 * {@link IllegalArgumentException} with the path, the value and the rule. Secrets are read from files.
 */
final class SettingsNode {

    private static final int MAX_QUOTE_LENGTH = 80;
    private static final long MAX_SECRET_BYTES = 16 << 10;

    private final String path;
    private final Map<String, Object> values;
    private final Path base;

    private SettingsNode(String path, Map<String, Object> values, Path base) {
        this.path = path;
        this.values = values;
        this.base = base;
    }

    /** @param base the folder that relative paths are resolved against */
    static SettingsNode root(Map<String, ?> tree, Path base) {
        return new SettingsNode("", new LinkedHashMap<>(tree), base);
    }

    /** Throws if there is a key that is not in the list. */
    SettingsNode requireOnly(String... known) {
        List<String> keys = List.of(known);
        values.keySet().stream().filter(key -> !keys.contains(key)).findFirst().ifPresent(key -> {
            throw new IllegalArgumentException("%s is not a setting: valid keys are %s"
                    .formatted(childPath(SafeText.sanitize(key, MAX_QUOTE_LENGTH)), String.join(", ", keys)));
        });
        return this;
    }

    Optional<SettingsNode> child(String key) {
        return Optional.ofNullable(values.get(key)).map(value -> node(childPath(key), value));
    }

    /** Returns the mappings under a key by their names; none if it is absent. */
    Map<String, SettingsNode> children(String key) {
        Map<String, SettingsNode> children = new LinkedHashMap<>();
        child(key)
                .ifPresent(node ->
                        node.values.forEach((name, value) -> children.put(name, node(node.childPath(name), value))));
        return children;
    }

    List<SettingsNode> list(String key) {
        List<?> items = items(key);
        return IntStream.range(0, items.size())
                .mapToObj(i -> node(childPath(key) + "[" + i + "]", items.get(i)))
                .toList();
    }

    private List<?> items(String key) {
        Object value = values.get(key);
        if (value == null) {
            return List.of();
        }
        return value instanceof List<?> list ? list : List.of(value);
    }

    private SettingsNode node(String where, Object value) {
        if (!(value instanceof Map<?, ?> map)) {
            throw new IllegalArgumentException(where + " must be a mapping");
        }
        Map<String, Object> inner = new LinkedHashMap<>();
        map.forEach((name, each) -> inner.put(String.valueOf(name), each == null ? "" : each));
        return new SettingsNode(where, inner, base);
    }

    Optional<String> text(String key) {
        return Optional.ofNullable(values.get(key)).map(value -> scalar(childPath(key), value));
    }

    String requiredText(String key) {
        return text(key)
                .filter(text -> !text.isBlank())
                .orElseThrow(() -> new IllegalArgumentException(childPath(key) + " is missing: add it"));
    }

    /** Returns the texts of a list; a single text counts as a list of one. */
    List<String> texts(String key) {
        return items(key).stream()
                .map(item -> scalar(childPath(key), item == null ? "" : item))
                .toList();
    }

    private static String scalar(String where, Object value) {
        if (value instanceof Map || value instanceof List) {
            throw new IllegalArgumentException(where + " must be a single value");
        }
        return String.valueOf(value).strip();
    }

    Optional<Duration> duration(String key) {
        return text(key).map(text -> parse(key, text, DurationText::parse));
    }

    Optional<Integer> wholeNumber(String key) {
        return text(key)
                .map(text -> parse(key, text, value -> {
                    try {
                        return Integer.valueOf(value);
                    } catch (NumberFormatException malformed) {
                        throw new IllegalArgumentException("it must be a whole number", malformed);
                    }
                }));
    }

    Optional<Boolean> flag(String key) {
        return text(key)
                .map(text -> parse(key, text, value -> {
                    if (value.equals("true") || value.equals("false")) {
                        return value.equals("true");
                    }
                    throw new IllegalArgumentException("it must be true or false");
                }));
    }

    /** Converts a value and adds its path and the value to the message of a failure. */
    <T> T parse(String key, String value, Function<String, T> parser) {
        try {
            return parser.apply(value);
        } catch (RuntimeException invalid) {
            throw new IllegalArgumentException(
                    "%s is %s: %s"
                            .formatted(
                                    childPath(key),
                                    SafeText.quote(value, MAX_QUOTE_LENGTH),
                                    SafeText.sanitize(String.valueOf(invalid.getMessage()), 3 * MAX_QUOTE_LENGTH)),
                    invalid);
        }
    }

    /** Creates a failure about a key. */
    IllegalArgumentException invalid(String key, String rule) {
        return new IllegalArgumentException(childPath(key) + " " + rule);
    }

    Path path(String key) {
        return base.resolve(requiredText(key)).toAbsolutePath().normalize();
    }

    /** Reads a secret from the file that a key names. The message of a failure names the file, not its content. */
    SecretText secret(String key) {
        return readSecret(key, path(key));
    }

    /** Reads the secrets of several files, separated by line breaks; empty if the key is absent. */
    Optional<SecretText> secrets(String key) {
        List<String> files = texts(key);
        return files.isEmpty()
                ? Optional.empty()
                : Optional.of(SecretText.of(String.join(
                        "\n",
                        files.stream()
                                .map(file -> readSecret(key, base.resolve(file)).reveal())
                                .toList())));
    }

    private SecretText readSecret(String key, Path file) {
        try {
            String text = Files.size(file) > MAX_SECRET_BYTES
                    ? ""
                    : Files.readString(file).strip();
            if (text.isEmpty()) {
                throw invalid(key, "names the file %s, which is empty or too large".formatted(file));
            }
            return SecretText.of(text);
        } catch (IOException unreadable) {
            throw new IllegalArgumentException(
                    "%s names the file %s, which cannot be read (%s)"
                            .formatted(
                                    childPath(key), file, unreadable.getClass().getSimpleName()),
                    unreadable);
        }
    }

    boolean has(String key) {
        return values.containsKey(key);
    }

    private String childPath(String key) {
        return path.isEmpty() ? key : path + "." + key;
    }
}
