package dev.escapement.server.config;

import java.nio.file.Path;
import java.util.Locale;

/**
 * A setting.
 *
 * @param key as in the file; a dot separates sections
 * @param defaultText empty for no default
 * @param description for the documentation: effect, unit and bounds
 * @param secret whether its value must not be shown
 */
public record Setting<T>(String key, String defaultText, String description, boolean secret, Parser<T> parser) {

    /** Parses the text of a setting. */
    @FunctionalInterface
    public interface Parser<T> {
        /**
         * Parses a text.
         *
         * @param base the folder that relative paths are resolved against
         * @throws IllegalArgumentException with the violated rule
         */
        T parse(String text, Path base);
    }

    static <T> Setting<T> of(String key, String defaultText, String description, Parser<T> parser) {
        return new Setting<>(key, defaultText, description, false, parser);
    }

    static Setting<SecretValue> secret(String key, String description) {
        return new Setting<>(key, "", description, true, (text, base) -> new SecretValue(text));
    }

    /** Returns the name of its environment variable. */
    public String variable() {
        return SettingsTable.VARIABLE_PREFIX
                + key.toUpperCase(Locale.ROOT).replace('-', '_').replace('.', '_');
    }

    /** Returns its flag on the command line. */
    public String flag() {
        return "--" + key.replace('.', '-');
    }
}
