package dev.escapement.governor.plan;

import java.time.Instant;

/**
 * A bound that moved the chosen time.
 *
 * @param bound which one
 * @param originalTime the time as it was chosen
 */
public record Clamp(Bound bound, Instant originalTime) {

    /** The bounds of a schedule. */
    public enum Bound {
        /** Not before now + min. */
        MIN("held back by the minimum interval"),
        /** Not before the other side wants to be asked again. */
        RETRY_AFTER("held back because the other side asked for it (Retry-After)"),
        /** Not after now + max. */
        MAX("brought forward by the maximum interval");

        private final String description;

        Bound(String words) {
            this.description = words;
        }

        /** For people. */
        public String description() {
            return description;
        }
    }
}
