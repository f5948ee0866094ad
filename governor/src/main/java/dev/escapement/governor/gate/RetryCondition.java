package dev.escapement.governor.gate;

import dev.escapement.governor.ledger.Holder;
import java.time.Instant;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What must happen before a request is admitted. All of it must; nothing is needed if the request is admitted now.
 *
 * @param holder the execution that must end first
 * @param needsClearance whether a person must clear the target
 * @param notBefore the time that must have come; empty if no deadline lies ahead
 * @param olderRequest the request that waits longer and is admitted first
 */
public record RetryCondition(
        Optional<Holder> holder,
        boolean needsClearance,
        Optional<Instant> notBefore,
        Optional<GateRequest> olderRequest) {

    static final RetryCondition NONE = new RetryCondition(Optional.empty(), false, Optional.empty(), Optional.empty());

    /** A new request after this one does not share its time to wait, nor its place in the queue. */
    private static final Set<GateCheck> CHECKS = EnumSet.range(GateCheck.TARGET_IS_FREE, GateCheck.COOLDOWN_IS_OVER);

    static RetryCondition of(GateInput input) {
        List<Obstacle> obstacles = CHECKS.stream()
                .flatMap(check -> check.findObstacle(input).stream())
                .toList();
        return new RetryCondition(
                obstacles.stream()
                        .flatMap(obstacle -> obstacle.holder().stream())
                        .findFirst(),
                obstacles.stream().anyMatch(Obstacle::needsClearance),
                obstacles.stream()
                        .flatMap(obstacle -> obstacle.until().stream())
                        .max(Comparator.naturalOrder()),
                // As in the decision, the queue matters only to a request that nothing else holds back.
                obstacles.isEmpty()
                        ? GateCheck.NO_OLDER_REQUEST_WAITS.findObstacle(input).flatMap(Obstacle::olderRequest)
                        : Optional.empty());
    }

    /** Returns from when the request is admitted if nothing else happens; empty if time alone is not enough. */
    public Optional<Instant> allowedAt() {
        return holder.isPresent() || needsClearance || olderRequest.isPresent() ? Optional.empty() : notBefore;
    }
}
