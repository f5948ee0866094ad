package dev.escapement.server.config;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.Locale;

/**
 * One thing that can be set.
 *
 * @param key as in the file; a dot stands for a section
 * @param defaultText its default as text; empty for none
 * @param description for people: what it does, its unit and its bounds
 * @param secret whether its value must not be shown
 * @param parser from text to value
 */
public record Setting<T>(String key, String defaultText, String description, boolean secret, Parser<T> parser) {

    /** Reads a value. */
    @FunctionalInterface
    public interface Parser<T> {
        /**
         * Reads a value.
         *
         * @param base what relative paths start from
         * @throws IllegalArgumentException with the rule that the text breaks
         */
        T parse(String text, Path base);
    }

    /** None of them is null. */
    public Setting {
        requireNonNull(key, "key is null");
        requireNonNull(defaultText, "fallback is null");
        requireNonNull(description, "description is null");
        requireNonNull(parser, "parser is null");
    }

    static <T> Setting<T> of(String key, String fallback, String description, Parser<T> parser) {
        return new Setting<>(key, fallback, description, false, parser);
    }

    static Setting<SecretValue> secret(String key, String description) {
        return new Setting<>(key, "", description, true, (text, base) -> new SecretValue(text));
    }

    /** Its name in the environment. */
    public String variable() {
        return SettingsTable.VARIABLE_PREFIX
                + key.toUpperCase(Locale.ROOT).replace('-', '_').replace('.', '_');
    }

    /** Its name on the command line. */
    public String flag() {
        return "--" + key.replace('.', '-');
    }
}
