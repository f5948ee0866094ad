package dev.escapement.governor.ledger;

import static java.util.Objects.requireNonNull;

import java.time.Instant;

/**
 * A person's word that a target may be tried again.
 *
 * @param actor who
 * @param reason why they think so
 * @param at when
 */
public record Clearance(String actor, String reason, Instant at) {

    /** A clearance without a name or a reason is none. */
    public Clearance {
        requireNonNull(at, "at is null");
        if (actor.isBlank()) {
            throw new IllegalArgumentException("a clearance needs the name of whoever gives it");
        }
        if (reason.isBlank()) {
            throw new IllegalArgumentException("a clearance by " + actor + " needs a reason");
        }
    }
}
