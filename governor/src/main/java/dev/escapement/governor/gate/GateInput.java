package dev.escapement.governor.gate;

import static java.util.Objects.requireNonNull;

import dev.escapement.governor.FailureScope;
import dev.escapement.governor.Policy;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.ledger.TargetMemory;
import java.time.Instant;

/**
 * Everything that a decision depends on.
 *
 * @param entry the ledger entry of the request's target
 */
public record GateInput(GateRequest request, LedgerEntry entry, Policy policy, Instant now) {

    /** Rejects an entry of another target. */
    public GateInput {
        requireNonNull(policy, "policy is null");
        requireNonNull(now, "now is null");
        if (!entry.target().equals(request.target())) {
            throw new IllegalArgumentException("the request is for target %s, the ledger entry is of target %s"
                    .formatted(request.target(), entry.target()));
        }
    }

    FailureScope failureScope() {
        return policy.failureScope();
    }

    String workflow() {
        return request.workflow();
    }

    TargetMemory memory() {
        return entry.memory();
    }
}
