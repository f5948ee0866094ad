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
 * @param olderRequest the request that is admitted first, if that is the obstacle
 */
public record Obstacle(
        Optional<Holder> holder,
        Optional<EndedExecution> endedExecution,
        Optional<Instant> until,
        Optional<GateRequest> olderRequest) {

    private static final Obstacle OF_THE_QUEUE =
            new Obstacle(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

    /** Only an ended execution leaves something to clear. */
    boolean needsClearance() {
        return endedExecution.isPresent() && until.isEmpty();
    }

    /** The queue itself is in the way, not a request in it. */
    static Obstacle ofQueue() {
        return OF_THE_QUEUE;
    }

    static Obstacle behind(GateRequest older) {
        return new Obstacle(Optional.empty(), Optional.empty(), Optional.empty(), Optional.of(older));
    }

    static Optional<Obstacle> heldBy(Holder holder) {
        return Optional.of(new Obstacle(Optional.of(holder), Optional.empty(), Optional.empty(), Optional.empty()));
    }

    static Optional<Obstacle> untilCleared(EndedExecution cause) {
        return Optional.of(new Obstacle(Optional.empty(), Optional.of(cause), Optional.empty(), Optional.empty()));
    }

    /** Returns an obstacle only while the deadline is in the future: a deadline of exactly now has passed. */
    static Optional<Obstacle> until(Instant deadline, EndedExecution cause, Instant now) {
        return now.isBefore(deadline)
                ? Optional.of(
                        new Obstacle(Optional.empty(), Optional.of(cause), Optional.of(deadline), Optional.empty()))
                : Optional.empty();
    }
}
