package dev.escapement.storage.table;

import dev.escapement.engine.port.Versioned;

/** Converts the version of a {@link Versioned} to the number in the row, which starts at 1. */
final class RowVersion {

    private static final long MATCHES_NO_ROW = -1;

    private RowVersion() {}

    /** Returns the number, or one that matches no row if the version is not a number. */
    static long parse(Versioned<?> seen) {
        try {
            return Long.parseLong(seen.version());
        } catch (NumberFormatException notANumber) {
            return MATCHES_NO_ROW;
        }
    }
}
