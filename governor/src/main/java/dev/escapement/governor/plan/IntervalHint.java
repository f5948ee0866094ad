package dev.escapement.governor.plan;

import dev.escapement.backoff.DurationText;
import java.time.Duration;
import java.time.Instant;

/**
 * Asks for another interval: until it expires, it stands in for the baseline and for the backoff.
 *
 * @param every whole milliseconds, from one to 366 days
 * @param givenAt when it was given
 * @param expiresAt when the baseline comes back; after {@code givenAt}
 * @param author who asks, not blank
 * @param reason why, not blank
 */
public record IntervalHint(Duration every, Instant givenAt, Instant expiresAt, String author, String reason)
        implements Hint {

    /** Checks the bounds. */
    public IntervalHint {
        ScheduleLimits.checkInterval("interval hint", every);
        ScheduleLimits.checkLifetime("interval hint", givenAt, expiresAt);
        ScheduleLimits.checkNotBlank("author of the interval hint", author);
        ScheduleLimits.checkNotBlank("reason of the interval hint", reason);
    }

    @Override
    public String toString() {
        return "every %s until %s, asked for by %s at %s: %s"
                .formatted(DurationText.format(every), expiresAt, author, givenAt, reason);
    }
}
