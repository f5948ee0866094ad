package dev.escapement.governor.plan;

import java.time.Instant;

/** What a person or an AI asks of an endpoint for a while. Its author and reason stay with every plan it touches. */
public sealed interface Hint permits IntervalHint, OneShotHint {

    /** When it was given, by the clock of whoever keeps the schedule, not of whoever asks. */
    Instant givenAt();

    /** From this instant on, it does nothing. */
    Instant expiresAt();

    /** Who asks. */
    String author();

    /** Why. */
    String reason();

    /** A deadline that is exactly now has passed. */
    default boolean isExpired(Instant now) {
        return !now.isBefore(expiresAt());
    }
}
