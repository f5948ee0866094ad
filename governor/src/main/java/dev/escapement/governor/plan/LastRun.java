package dev.escapement.governor.plan;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * What is remembered of the last run.
 *
 * @param slot when it was planned for, whenever it started
 * @param endedAt when it ended
 * @param retryAfter how long after its end the other side asked to be left alone, if it did
 */
public record LastRun(Instant slot, Instant endedAt, Optional<Duration> retryAfter) {

    /** Checks the bounds. */
    public LastRun {
        ScheduleLimits.checkInstant("slot of the last run", slot);
        ScheduleLimits.checkInstant("end of the last run", endedAt);
        retryAfter.ifPresent(wait -> ScheduleLimits.checkRetryAfter("retry-after of the last run", wait));
    }

    /** Without a wish of the other side. */
    public LastRun(Instant slot, Instant endedAt) {
        this(slot, endedAt, Optional.empty());
    }

    /** Before this instant the other side does not want to be asked again. */
    Optional<Instant> retryNotBefore() {
        return retryAfter.map(endedAt::plus);
    }
}
