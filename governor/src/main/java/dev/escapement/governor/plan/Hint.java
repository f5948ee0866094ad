package dev.escapement.governor.plan;

import java.time.Instant;

/** A temporary change of a schedule by a person or an AI. */
public sealed interface Hint permits IntervalHint, OneShotHint {

    /** When it was created, by the clock of the server. */
    Instant givenAt();

    /** The instant from which it has no effect. */
    Instant expiresAt();

    String author();

    String reason();

    /** Returns whether it has expired; a deadline of exactly now has passed. */
    default boolean isExpired(Instant now) {
        return !now.isBefore(expiresAt());
    }
}
