package dev.escapement.server.config;

import java.nio.file.Path;

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

    static SettingOrigin ofFile(Path file) {
        return new SettingOrigin(Source.FILE, file.toString());
    }

    static SettingOrigin ofVariable(String name) {
        return new SettingOrigin(Source.ENVIRONMENT, name);
    }

    static SettingOrigin ofFlag(String name) {
        return new SettingOrigin(Source.FLAG, name);
    }

    @Override
    public String toString() {
        return switch (source) {
            case DEFAULT -> "default";
            case FILE -> "file " + name;
            case ENVIRONMENT -> "environment " + name;
            case FLAG -> "flag " + name;
        };
    }
}
