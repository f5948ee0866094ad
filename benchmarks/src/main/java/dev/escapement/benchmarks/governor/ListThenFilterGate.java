package dev.escapement.benchmarks.governor;

import dev.escapement.governor.FailureScope;
import dev.escapement.governor.Policy;
import dev.escapement.governor.Target;
import dev.escapement.governor.gate.GateCheck;
import dev.escapement.governor.gate.GateRequest;
import dev.escapement.governor.ledger.ExecutionOutcome;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Decides by the same rules without a ledger: it filters a list of all executions by target. The list is in memory; in
 * production it would have to be read first.
 */
final class ListThenFilterGate {

    private final List<ListedExecution> executions;
    private final Map<Target, Instant> clearances;

    ListThenFilterGate(List<ListedExecution> executions, Map<Target, Instant> clearances) {
        this.executions = executions;
        this.clearances = clearances;
    }

    /**
     * Returns the check that refuses, if one does; failures count for the whole target ({@link FailureScope#TARGET}).
     */
    Optional<GateCheck> decide(GateRequest request, Policy policy, Instant now) {
        Instant cleared = clearances.getOrDefault(request.target(), Instant.MIN);
        boolean broken = false;
        int failures = 0;
        Instant nextAllowed = Instant.MIN;
        Instant cooledDown = Instant.MIN;
        for (ListedExecution past : executions) {
            if (!past.request().target().equals(request.target())) {
                continue;
            }
            if (past.end().isEmpty()) {
                return Optional.of(GateCheck.TARGET_IS_FREE);
            }
            ExecutionOutcome outcome = past.end().get().outcome();
            Instant at = past.end().get().at();
            if (outcome instanceof ExecutionOutcome.Completed) {
                failures = 0;
                nextAllowed = Instant.MIN;
                cooledDown =
                        past.request().workflow().equals(request.workflow()) ? at.plus(policy.cooldown()) : cooledDown;
            } else if (at.isAfter(cleared)) {
                if (outcome instanceof ExecutionOutcome.FailedBeforeExecution failed) {
                    failures++;
                    nextAllowed = failed.nextAllowed().orElse(Instant.MIN);
                } else if (!(outcome instanceof ExecutionOutcome.Withdrawn)) {
                    broken = true;
                }
            }
        }
        if (broken) {
            return Optional.of(GateCheck.LAST_EXECUTION_DID_NOT_BREAK);
        } else if (failures >= policy.maxConsecutiveFailures()) {
            return Optional.of(GateCheck.RETRIES_ARE_LEFT);
        } else if (now.isBefore(nextAllowed)) {
            return Optional.of(GateCheck.BACKOFF_IS_OVER);
        }
        return now.isBefore(cooledDown) ? Optional.of(GateCheck.COOLDOWN_IS_OVER) : Optional.empty();
    }
}
