package dev.escapement.storage.table;

import dev.escapement.engine.port.Versioned;

/** Versions of rows are numbers from 1; outside they are text. */
final class RowVersion {

    /** No row has it. */
    private static final long MATCHES_NO_ROW = -1;

    private RowVersion() {}

    /** The number; one that no row has, if the text is none of ours. */
    static long parse(Versioned<?> seen) {
        try {
            return Long.parseLong(seen.version());
        } catch (NumberFormatException foreign) {
            return MATCHES_NO_ROW;
        }
    }
}
