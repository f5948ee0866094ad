package dev.escapement.engine.port;

import static java.util.Objects.requireNonNull;

/**
 * A value with the version under which it was read.
 *
 * @param version opaque; only equality is meaningful
 */
public record Versioned<T>(T value, String version) {

    /** The version of a value that is not stored. */
    public static final String ABSENT = "";

    public Versioned {
        requireNonNull(value, "value is null");
        requireNonNull(version, "version is null");
    }
}
