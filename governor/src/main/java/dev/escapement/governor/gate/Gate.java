package dev.escapement.governor.gate;

import dev.escapement.governor.Policy;
import dev.escapement.governor.ledger.LedgerEntry;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Decides whether an execution may run now. */
public final class Gate {

    private static final List<GateCheck> CHECKS = List.of(GateCheck.values());

    private Gate() {}

    /** Decides a request. Constant cost: the entry holds everything that matters of earlier executions. */
    public static GateDecision decide(GateRequest request, LedgerEntry entry, Policy policy, Instant now) {
        GateInput input = new GateInput(request, entry, policy, now);
        for (GateCheck check : CHECKS) {
            Optional<Obstacle> obstacle = check.findObstacle(input);
            if (obstacle.isPresent()) {
                return new GateDecision.Skip(check, obstacle.get(), input);
            }
        }
        return new GateDecision.Admit(input);
    }
}
