package dev.escapement.governor.plan;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The last run of an endpoint.
 *
 * @param slot the time for which it was planned
 * @param retryAfter how long after its end the endpoint requested no calls, if it did
 */
public record LastRun(Instant slot, Instant endedAt, Optional<Duration> retryAfter) {

    public LastRun {
        ScheduleLimits.checkInstant("slot of the last run", slot);
        ScheduleLimits.checkInstant("end of the last run", endedAt);
        retryAfter.ifPresent(wait -> ScheduleLimits.checkRetryAfter("retry-after of the last run", wait));
    }

    public LastRun(Instant slot, Instant endedAt) {
        this(slot, endedAt, Optional.empty());
    }

    Optional<Instant> retryNotBefore() {
        return retryAfter.map(endedAt::plus);
    }
}
