package dev.escapement.engine.port;

import static java.util.Objects.requireNonNull;

/**
 * A value as it was read, with the version that a write must still find.
 *
 * @param value what was read
 * @param version opaque; only equality means anything
 */
public record Versioned<T>(T value, String version) {

    /** The version of what does not exist yet. */
    public static final String ABSENT = "";

    /** Neither is null. */
    public Versioned {
        requireNonNull(value, "value is null");
        requireNonNull(version, "version is null");
    }
}
