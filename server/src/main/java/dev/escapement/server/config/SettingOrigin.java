package dev.escapement.server.config;

import java.util.Locale;

/**
 * Where the value of a setting comes from.
 *
 * @param name the file, variable or flag; empty for a default
 */
public record SettingOrigin(Source source, String name) {

    /** The sources in order of precedence, lowest first. */
    public enum Source {
        DEFAULT,
        FILE,
        ENVIRONMENT,
        FLAG
    }

    public static final SettingOrigin DEFAULT = new SettingOrigin(Source.DEFAULT, "");

    @Override
    public String toString() {
        return (source.name().toLowerCase(Locale.ROOT) + " " + name).strip();
    }
}
