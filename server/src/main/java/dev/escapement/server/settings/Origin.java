package dev.escapement.server.settings;

import java.nio.file.Path;

/**
 * Where a value comes from.
 *
 * @param source which of the places
 * @param name the file, variable or flag; empty for a default
 */
public record Origin(Source source, String name) {

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

    public static final Origin DEFAULT = new Origin(Source.DEFAULT, "");

    static Origin file(Path file) {
        return new Origin(Source.FILE, file.toString());
    }

    static Origin variable(String name) {
        return new Origin(Source.ENVIRONMENT, name);
    }

    static Origin flag(String name) {
        return new Origin(Source.FLAG, name);
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
