package dev.escapement.server.settings;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.Locale;

/**
 * One thing that can be set.
 *
 * @param key as in the file; a dot stands for a section
 * @param fallback its default as text; empty for none
 * @param description for people: what it does, its unit and its bounds
 * @param secret whether its value must not be shown
 * @param parser from text to value
 */
public record Setting<T>(String key, String fallback, String description, boolean secret, Parser<T> parser) {

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
        requireNonNull(fallback, "fallback is null");
        requireNonNull(description, "description is null");
        requireNonNull(parser, "parser is null");
    }

    static <T> Setting<T> of(String key, String fallback, String description, Parser<T> parser) {
        return new Setting<>(key, fallback, description, false, parser);
    }

    static Setting<Secret> secret(String key, String description) {
        return new Setting<>(key, "", description, true, (text, base) -> new Secret(text));
    }

    /** Its name in the environment. */
    public String variable() {
        return SettingsTable.VARIABLES
                + key.toUpperCase(Locale.ROOT).replace('-', '_').replace('.', '_');
    }

    /** Its name on the command line. */
    public String flag() {
        return "--" + key.replace('.', '-');
    }
}
