package dev.escapement.governor.plan;

import java.time.Instant;

/**
 * Asks for one run at a given time, besides the others. Any run whose slot is at or after that time answers it.
 *
 * @param at when; a time that has passed means as soon as possible
 * @param expiresAt after {@code at}: one that expired before it was due could not be answered
 * @param author who asks, not blank
 * @param reason why, not blank
 */
public record OneShotHint(Instant at, Instant expiresAt, String author, String reason) implements Hint {

    /** Checks the bounds, and that it is due before it expires. */
    public OneShotHint {
        Limits.instant("time of the one-shot hint", at);
        Limits.instant("expiry of the one-shot hint", expiresAt);
        Limits.text("author of the one-shot hint", author);
        Limits.text("reason of the one-shot hint", reason);
        if (!at.isBefore(expiresAt)) {
            throw new IllegalArgumentException(
                    "one-shot hint is for %s and expires at %s: it must expire later than it is due"
                            .formatted(at, expiresAt));
        }
    }

    @Override
    public String toString() {
        return "once at %s, until %s, asked for by %s: %s".formatted(at, expiresAt, author, reason);
    }
}
