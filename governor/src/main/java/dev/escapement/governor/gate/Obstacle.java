package dev.escapement.governor.gate;

import dev.escapement.governor.ledger.EndedExecution;
import dev.escapement.governor.ledger.Holder;
import java.time.Instant;
import java.util.Optional;

/**
 * What a check found in the way.
 *
 * @param holder the execution that holds the target, if that is it
 * @param endedExecution the ended execution that is the cause, if that is it
 * @param until when it is out of the way by itself; empty if that takes an event or a person
 */
public record Obstacle(Optional<Holder> holder, Optional<EndedExecution> endedExecution, Optional<Instant> until) {

    static Optional<Obstacle> heldBy(Holder holder) {
        return Optional.of(new Obstacle(Optional.of(holder), Optional.empty(), Optional.empty()));
    }

    static Optional<Obstacle> untilCleared(EndedExecution past) {
        return Optional.of(new Obstacle(Optional.empty(), Optional.of(past), Optional.empty()));
    }

    /** In the way only while the deadline lies ahead: one that is exactly now has passed. */
    static Optional<Obstacle> until(Instant deadline, EndedExecution past, Instant now) {
        return now.isBefore(deadline)
                ? Optional.of(new Obstacle(Optional.empty(), Optional.of(past), Optional.of(deadline)))
                : Optional.empty();
    }
}
