package dev.escapement.server.config;

import java.nio.file.Path;

/**
 * Where a value comes from.
 *
 * @param source which of the places
 * @param name the file, variable or flag; empty for a default
 */
public record SettingOrigin(Source source, String name) {

    /** The places, each over those before it. */
    public enum Source {
        /** What the program ships with. */
        DEFAULT,
        /** The settings file. */
        FILE,
        /** An environment variable. */
        ENVIRONMENT,
        /** An option on the command line. */
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
