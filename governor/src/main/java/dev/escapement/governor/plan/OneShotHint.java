package dev.escapement.governor.plan;

import java.time.Instant;

/**
 * A hint for one additional run. A run fulfils it if its slot is at or after both the requested time and the time at
 * which the hint was given.
 *
 * @param at a time that has passed means as soon as possible
 * @param expiresAt after {@code at} and {@code givenAt}
 * @param author not blank
 * @param reason not blank
 */
public record OneShotHint(Instant at, Instant givenAt, Instant expiresAt, String author, String reason)
        implements Hint {

    public OneShotHint {
        ScheduleLimits.checkInstant("time of the one-shot hint", at);
        ScheduleLimits.checkHint("one-shot hint", givenAt, expiresAt, author, reason);
        if (!at.isBefore(expiresAt)) {
            throw new IllegalArgumentException(
                    "one-shot hint is for %s and expires at %s: it must expire later than it is due"
                            .formatted(at, expiresAt));
        }
    }

    /**
     * Returns when it has to run, never before {@code givenAt}: with a clock set back, an earlier run would not fulfil
     * it.
     */
    public Instant due() {
        return at.isAfter(givenAt) ? at : givenAt;
    }

    @Override
    public String toString() {
        return "once at %s, until %s, given by %s at %s: %s".formatted(at, expiresAt, author, givenAt, reason);
    }
}
