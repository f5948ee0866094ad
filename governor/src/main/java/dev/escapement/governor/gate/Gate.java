package dev.escapement.governor.gate;

import dev.escapement.governor.Policy;
import dev.escapement.governor.ledger.LedgerEntry;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** May this run now? */
public final class Gate {

    private static final List<GateCheck> CHECKS = List.of(GateCheck.values());

    private Gate() {}

    /**
     * Decides, and changes nothing. The cost does not depend on how many executions there have been: all that matters
     * of them is in the entry.
     */
    public static GateDecision decide(GateRequest request, LedgerEntry entry, Policy policy, Instant now) {
        GateInput question = new GateInput(request, entry, policy, now);
        for (GateCheck check : CHECKS) {
            Optional<Obstacle> obstacle = check.findObstacle(question);
            if (obstacle.isPresent()) {
                return new GateDecision.Skip(check, obstacle.get(), question);
            }
        }
        return new GateDecision.Admit(question);
    }
}
