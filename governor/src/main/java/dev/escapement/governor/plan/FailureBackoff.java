package dev.escapement.governor.plan;

import dev.escapement.backoff.Backoff;
import dev.escapement.backoff.Spread;
import java.time.Duration;
import java.time.Instant;

/**
 * How a failing endpoint comes back: so long after the end of its last attempt, spread by its key. What failed together
 * must not come back together, so wherever lateness or a clamp would bring many to one instant, they are spread again.
 */
final class FailureBackoff {

    private final Schedule schedule;
    private final RunHistory history;
    private final int jitterPercent;
    private final Instant now;

    FailureBackoff(Schedule schedule, RunHistory history, int jitterPercent, Instant now) {
        this.schedule = schedule;
        this.history = history;
        this.jitterPercent = jitterPercent;
        this.now = now;
    }

    /** A wait that doubles with every failure. */
    Duration exponentialDelay(Duration base, Duration max) {
        return Backoff.builder()
                .base(base)
                .max(max)
                .multiplier(2)
                .jitterPercent(jitterPercent)
                .build()
                .delay(history.failures(), schedule.key());
    }

    /** A wait that somebody has asked for: not less than that, but a little more. */
    Duration delayAtLeast(Duration wait) {
        return wait.plus(spreadUpTo(maxJitter(wait)));
    }

    /**
     * So long after the last attempt; if that is not after {@code passed}, then at {@code soonest} or soon after it.
     */
    Instant retryTime(Duration wait, Instant passed, Instant soonest) {
        Instant ended = history.lastRun().orElseThrow().endedAt();
        // If the clock was set back meanwhile, the wait is its own length, not that and the step of the clock.
        Instant at = (ended.isAfter(now) ? now : ended).plus(wait);
        if (at.isAfter(passed)) {
            return at;
        }
        // After an outage all are late. Who is hardly late must hardly wait, or planning again would put it off again.
        Duration late = Duration.between(at, soonest);
        return soonest.plus(spreadUpTo(min(jitterRoom(wait), late)));
    }

    /**
     * How far from a clamp a retry is put that the clamp has moved, towards the inside: exactly on the clamp would be
     * all the others. If min and max are the same, there is no room, and it is zero.
     */
    Duration clampOffset(Duration wait) {
        return spreadUpTo(jitterRoom(wait));
    }

    /** The jitter of a wait that the clamps allow, as far as there is room between them. */
    private Duration jitterRoom(Duration wait) {
        Duration least = schedule.minInterval().orElse(RunPlanner.MIN_DELAY);
        Duration clamped = max(wait, least);
        return schedule.maxInterval()
                .map(most -> min(maxJitter(min(clamped, most)), most.minus(least)))
                .orElseGet(() -> maxJitter(clamped));
    }

    private Duration maxJitter(Duration wait) {
        return Duration.ofNanos(wait.toNanos() / 100 * jitterPercent);
    }

    /** From zero on, evenly; the same for a key and its count of failures as its share of the backoff. */
    private Duration spreadUpTo(Duration longest) {
        return Backoff.builder()
                .base(longest)
                .max(longest)
                .multiplier(1)
                .spread(Spread.FULL)
                .build()
                .delay(history.failures(), schedule.key());
    }

    private static Duration min(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    private static Duration max(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }
}
