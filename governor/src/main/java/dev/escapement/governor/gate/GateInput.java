package dev.escapement.governor.gate;

import static java.util.Objects.requireNonNull;

import dev.escapement.governor.FailureScope;
import dev.escapement.governor.Policy;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.ledger.TargetMemory;
import java.time.Instant;

/**
 * Everything that the answer depends on.
 *
 * @param request who wants to run what
 * @param entry the ledger's entry of the request's target
 * @param policy the rules
 * @param now the time
 */
public record GateInput(GateRequest request, LedgerEntry entry, Policy policy, Instant now) {

    /** The entry must be the one of the request's target: another one would be a bug with consequences. */
    public GateInput {
        requireNonNull(policy, "policy is null");
        requireNonNull(now, "now is null");
        if (!entry.target().equals(request.target())) {
            throw new IllegalArgumentException(
                    "the request is for %s, the ledger entry of %s".formatted(request.target(), entry.target()));
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
