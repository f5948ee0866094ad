package dev.escapement.governor.gate;

import static java.util.Objects.requireNonNull;

import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.ExecutionRef;

/** A request to run a workflow on a target. */
public record GateRequest(ExecutionRef execution, String workflow, Target target) {

    public GateRequest {
        requireNonNull(execution, "execution is null");
        requireNonNull(workflow, "workflow is null");
        requireNonNull(target, "target is null");
    }
}
