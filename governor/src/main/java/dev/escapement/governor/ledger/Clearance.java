package dev.escapement.governor.ledger;

import java.time.Instant;

/**
 * A person's confirmation that a target may be used again after a failure.
 *
 * @param actor who cleared the target, not blank
 * @param reason why, not blank
 */
public record Clearance(String actor, String reason, Instant at) {

    public Clearance {
        if (actor.isBlank()) {
            throw new IllegalArgumentException("a clearance needs the name of its actor");
        }
        if (reason.isBlank()) {
            throw new IllegalArgumentException("a clearance by " + actor + " needs a reason");
        }
    }
}
