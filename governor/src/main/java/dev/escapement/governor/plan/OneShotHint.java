package dev.escapement.governor.plan;

import java.time.Instant;

/**
 * Asks for one run, besides the others. A run answers it if its slot is at or after both the time that was asked for
 * and the time at which the hint was given: what ran before somebody asked is not what they asked for.
 *
 * @param at when; a time that has passed means as soon as possible
 * @param givenAt when it was given
 * @param expiresAt after both: one that expired before it was due could not be answered
 * @param author who asks, not blank
 * @param reason why, not blank
 */
public record OneShotHint(Instant at, Instant givenAt, Instant expiresAt, String author, String reason)
        implements Hint {

    /** Checks the bounds, and that it is due before it expires. */
    public OneShotHint {
        ScheduleLimits.checkInstant("time of the one-shot hint", at);
        ScheduleLimits.checkLifetime("one-shot hint", givenAt, expiresAt);
        ScheduleLimits.checkNotBlank("author of the one-shot hint", author);
        ScheduleLimits.checkNotBlank("reason of the one-shot hint", reason);
        if (!at.isBefore(expiresAt)) {
            throw new IllegalArgumentException(
                    "one-shot hint is for %s and expires at %s: it must expire later than it is due"
                            .formatted(at, expiresAt));
        }
    }

    /**
     * When it has to run: never before it was given. If the clock of its giver is ahead, a run before that would leave
     * it unanswered, and bring another.
     */
    public Instant due() {
        return at.isAfter(givenAt) ? at : givenAt;
    }

    @Override
    public String toString() {
        return "once at %s, until %s, asked for by %s at %s: %s".formatted(at, expiresAt, author, givenAt, reason);
    }
}
