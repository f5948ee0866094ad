package dev.escapement.governor.plan;

import dev.escapement.backoff.Backoff;
import dev.escapement.backoff.Spread;
import java.time.Duration;
import java.time.Instant;

/**
 * Computes the retry time of a failing endpoint: a delay after the end of its last run, with jitter by its key. Where a
 * late start or a clamp would move many endpoints to one instant, jitter is added again.
 */
record FailureBackoff(Schedule schedule, RunHistory history, int jitterPercent, Instant now) {

    /** Returns a delay that doubles with every failure. */
    Duration exponentialDelay(Duration base, Duration max) {
        return Backoff.builder()
                .base(base)
                .max(max)
                .multiplier(2)
                .jitterPercent(jitterPercent)
                .build()
                .delay(history.failures(), schedule.key());
    }

    /** Returns the delay plus jitter: a requested delay must not become shorter. */
    Duration delayAtLeast(Duration delay) {
        return delay.plus(spreadUpTo(maxJitter(delay)));
    }

    /**
     * Returns the end of the last run plus the delay. If that is not after {@code after}, returns {@code earliest} plus
     * jitter.
     */
    Instant retryTime(Duration delay, Instant after, Instant earliest) {
        Instant at = history.lastEnd(now).orElseThrow().plus(delay);
        if (at.isAfter(after)) {
            return at;
        }
        // After an outage all are late. The jitter is at most the lateness, so that planning again does not postpone.
        Duration lateness = Duration.between(at, earliest);
        return earliest.plus(spreadUpTo(min(jitterRoom(delay), lateness)));
    }

    /**
     * Returns the distance between a clamp and a retry that the clamp has moved, so that retries do not all run exactly
     * at the clamp. Zero if min and max are equal.
     */
    Duration clampOffset(Duration delay) {
        return spreadUpTo(jitterRoom(delay));
    }

    /** Returns the maximum jitter that fits between the clamps. */
    private Duration jitterRoom(Duration delay) {
        Duration lowest = schedule.minInterval().orElse(RunPlanner.MIN_DELAY);
        Duration clamped = delay.compareTo(lowest) > 0 ? delay : lowest;
        return schedule.maxInterval()
                .map(highest -> min(maxJitter(min(clamped, highest)), highest.minus(lowest)))
                .orElseGet(() -> maxJitter(clamped));
    }

    private Duration maxJitter(Duration delay) {
        return Duration.ofNanos(delay.toNanos() / 100 * jitterPercent);
    }

    /** Returns a uniform share of {@code max} that depends only on the key and the number of failures. */
    private Duration spreadUpTo(Duration max) {
        return Backoff.builder()
                .base(max)
                .max(max)
                .multiplier(1)
                .spread(Spread.FULL)
                .build()
                .delay(history.failures(), schedule.key());
    }

    private static Duration min(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
