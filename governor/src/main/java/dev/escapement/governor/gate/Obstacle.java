package dev.escapement.governor.gate;

import dev.escapement.governor.ledger.EndedExecution;
import dev.escapement.governor.ledger.Holder;
import java.time.Instant;
import java.util.Optional;

/**
 * What keeps a request from being admitted.
 *
 * @param holder the execution that holds the target, if that is the obstacle
 * @param endedExecution the ended execution that caused the obstacle, if any
 * @param until when the obstacle passes by itself; empty if that requires an event or a person
 */
public record Obstacle(Optional<Holder> holder, Optional<EndedExecution> endedExecution, Optional<Instant> until) {

    boolean needsClearance() {
        return holder.isEmpty() && until.isEmpty();
    }

    static Optional<Obstacle> heldBy(Holder holder) {
        return Optional.of(new Obstacle(Optional.of(holder), Optional.empty(), Optional.empty()));
    }

    static Optional<Obstacle> untilCleared(EndedExecution cause) {
        return Optional.of(new Obstacle(Optional.empty(), Optional.of(cause), Optional.empty()));
    }

    /** Returns an obstacle only while the deadline is in the future: a deadline of exactly now has passed. */
    static Optional<Obstacle> until(Instant deadline, EndedExecution cause, Instant now) {
        return now.isBefore(deadline)
                ? Optional.of(new Obstacle(Optional.empty(), Optional.of(cause), Optional.of(deadline)))
                : Optional.empty();
    }
}
