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
    public static Decision decide(Request request, LedgerEntry entry, Policy policy, Instant now) {
        Question question = new Question(request, entry, policy, now);
        for (GateCheck check : CHECKS) {
            Optional<Obstacle> obstacle = check.look(question);
            if (obstacle.isPresent()) {
                return new Decision.Skip(check, obstacle.get(), question);
            }
        }
        return new Decision.Admit(question);
    }
}
