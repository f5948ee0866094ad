package dev.escapement.governor.gate;

import dev.escapement.governor.Policy;
import dev.escapement.governor.gate.GateDecision.Skip;
import dev.escapement.governor.ledger.LedgerEntry;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Decides whether an execution may run now. */
public final class Gate {

    /** What concerns every request. The others concern the requests that wait for a target. */
    private static final List<GateCheck> CHECKS =
            List.copyOf(EnumSet.range(GateCheck.TARGET_IS_FREE, GateCheck.COOLDOWN_IS_OVER));

    private static final Set<GateCheck> CHECKS_FOR_A_PERSON =
            EnumSet.of(GateCheck.LAST_EXECUTION_DID_NOT_BREAK, GateCheck.RETRIES_ARE_LEFT);

    private Gate() {}

    /** Decides a request. Constant cost: the entry holds everything that matters of earlier executions. */
    public static GateDecision decide(GateRequest request, LedgerEntry entry, Policy policy, Instant now) {
        return decide(new GateInput(request, entry, policy, now));
    }

    /** Decides a request among those that wait for its target. The cost grows with their number. */
    public static GateDecision decide(GateInput input) {
        Optional<Skip> skip = findObstacle(input);
        if (input.request().waitTerms().isEmpty()) {
            return skip.isPresent() ? skip.get() : new GateDecision.Admit(input);
        }
        Optional<Skip> over = find(GateCheck.WAIT_IS_NOT_OVER, input);
        if (over.isPresent()) {
            // With the reason that still holds, if there is one.
            return skip.orElse(over.get());
        } else if (skip.isEmpty()) {
            return new GateDecision.Admit(input);
        }
        // What takes a person is not waited for, also if something else is in the way as well.
        return CHECKS_FOR_A_PERSON.stream()
                .flatMap(check -> find(check, input).stream())
                .findFirst()
                .or(() -> find(GateCheck.QUEUE_HAS_ROOM, input))
                .<GateDecision>map(found -> found)
                .orElseGet(() -> new GateDecision.Wait(skip.get(), input));
    }

    static Optional<Skip> findObstacle(GateInput input) {
        Optional<Skip> found = Optional.empty();
        for (GateCheck check : CHECKS) {
            Optional<Obstacle> obstacle = check.findObstacle(input);
            if (obstacle.isPresent()) {
                Skip skip = new Skip(check, obstacle.get(), input);
                if (obstacle.get().until().isEmpty()) {
                    return Optional.of(skip);
                }
                found = later(found, skip);
            }
        }
        return found.isPresent() ? found : find(GateCheck.NO_OLDER_REQUEST_WAITS, input);
    }

    /** Of several obstacles that pass with time, the one that ends last decides: its end is the one to wait for. */
    private static Optional<Skip> later(Optional<Skip> before, Skip skip) {
        return before.isPresent() && !before.get().endsBefore(skip) ? before : Optional.of(skip);
    }

    private static Optional<Skip> find(GateCheck check, GateInput input) {
        return check.findObstacle(input).map(obstacle -> new Skip(check, obstacle, input));
    }
}
