package dev.escapement.governor.plan;

import dev.escapement.backoff.DurationText;
import java.time.Duration;
import java.time.Instant;

/**
 * A hint that replaces the baseline and the backoff by another interval until it expires.
 *
 * @param every whole milliseconds, from one to 366 days
 * @param expiresAt after {@code givenAt}
 * @param author not blank
 * @param reason not blank
 */
public record IntervalHint(Duration every, Instant givenAt, Instant expiresAt, String author, String reason)
        implements Hint {

    public IntervalHint {
        ScheduleLimits.checkInterval("interval hint", every);
        ScheduleLimits.checkHint("interval hint", givenAt, expiresAt, author, reason);
    }

    @Override
    public String toString() {
        return "every %s until %s, given by %s at %s: %s"
                .formatted(DurationText.format(every), expiresAt, author, givenAt, reason);
    }
}
