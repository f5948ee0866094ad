package dev.escapement.server.config;

import dev.escapement.server.config.Settings.SecretValue;
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

    /**
     * Where the value of a setting comes from.
     *
     * @param name the file, variable or flag; empty for a default
     */
    public record Origin(Source source, String name) {

        public static final Origin DEFAULT = new Origin(Source.DEFAULT, "");

        @Override
        public String toString() {
            return (source.name().toLowerCase(Locale.ROOT) + " " + name).strip();
        }
    }

    /** The sources in order of precedence, lowest first. */
    public enum Source {
        DEFAULT,
        FILE,
        ENVIRONMENT,
        FLAG
    }

    static <T> Setting<T> of(String key, String defaultText, Parser<T> parser) {
        return new Setting<>(key, defaultText, "", false, parser);
    }

    static Setting<SecretValue> secret(String key) {
        return new Setting<>(key, "", "", true, (text, base) -> new SecretValue(text));
    }

    Setting<T> describe(String text) {
        return new Setting<>(key, defaultText, text, secret, parser);
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
