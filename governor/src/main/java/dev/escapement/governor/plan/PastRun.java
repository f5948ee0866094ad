package dev.escapement.governor.plan;

import java.time.Instant;

/**
 * What is remembered of the last run.
 *
 * @param slot when it was planned for, whenever it started
 * @param endedAt when it ended
 */
public record PastRun(Instant slot, Instant endedAt) {

    /** Checks the bounds. */
    public PastRun {
        Limits.instant("slot of the last run", slot);
        Limits.instant("end of the last run", endedAt);
    }
}
