package dev.escapement.governor.plan;

import java.time.Instant;

/**
 * A bound that moved the chosen time.
 *
 * @param originalTime the time before the move
 */
public record Clamp(Bound bound, Instant originalTime) {

    /** The bounds of a schedule. */
    public enum Bound {
        /** Not before now + min. */
        MIN("delayed by the minimum interval"),
        /** Not before the end of the Retry-After that the endpoint requested. */
        RETRY_AFTER("delayed by the Retry-After of the endpoint"),
        /** Not after now + max. */
        MAX("moved forward by the maximum interval");

        private final String description;

        Bound(String description) {
            this.description = description;
        }

        public String description() {
            return description;
        }
    }
}
