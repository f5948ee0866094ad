package dev.escapement.governor.gate;

import dev.escapement.governor.Policy;
import dev.escapement.governor.ledger.EndedExecution;
import dev.escapement.governor.ledger.FailureStreak;
import dev.escapement.governor.ledger.LedgerEntry;
import java.time.Instant;
import java.util.Optional;

/**
 * Everything that a decision depends on.
 *
 * @param entry the ledger entry of the request's target
 */
public record GateInput(GateRequest request, LedgerEntry entry, Policy policy, Instant now) {

    /** Rejects an entry of another target. */
    public GateInput {
        if (!entry.target().equals(request.target())) {
            throw new IllegalArgumentException("the request is for target %s, the ledger entry is of target %s"
                    .formatted(request.target(), entry.target()));
        }
    }

    /** Returns the failure that blocks the requested workflow, as the other methods under the policy's scope. */
    Optional<EndedExecution> block() {
        return entry.memory().block(policy.failureScope(), request.workflow());
    }

    Optional<FailureStreak> failureStreak() {
        return entry.memory().failureStreak(policy.failureScope(), request.workflow());
    }

    int consecutiveFailures() {
        return entry.memory().consecutiveFailures(policy.failureScope(), request.workflow());
    }

    Optional<EndedExecution> lastCompleted() {
        return entry.memory().lastCompleted(request.workflow());
    }
}
