package dev.escapement.governor.plan;

import java.time.Instant;

/**
 * A bound that moved the chosen time.
 *
 * @param bound which one
 * @param before the time as it was chosen
 */
public record Clamp(Bound bound, Instant before) {

    /** The bounds of a schedule. */
    public enum Bound {
        /** Not before now + min. */
        MIN("held back by the minimum interval"),
        /** Not after now + max. */
        MAX("brought forward by the maximum interval");

        private final String words;

        Bound(String words) {
            this.words = words;
        }

        /** For people. */
        public String inWords() {
            return words;
        }
    }
}
