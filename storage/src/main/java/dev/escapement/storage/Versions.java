package dev.escapement.storage;

import dev.escapement.engine.port.Versioned;

/** Versions of rows are numbers from 1; outside they are text. */
final class Versions {

    /** No row has it. */
    private static final long NEVER = -1;

    private Versions() {}

    /** The number; one that no row has, if the text is none of ours. */
    static long number(Versioned<?> seen) {
        try {
            return Long.parseLong(seen.version());
        } catch (NumberFormatException foreign) {
            return NEVER;
        }
    }
}
