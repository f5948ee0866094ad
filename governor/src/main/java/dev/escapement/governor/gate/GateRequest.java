package dev.escapement.governor.gate;

import static java.util.Objects.requireNonNull;

import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.ExecutionRef;

/**
 * Who wants to run what on which target.
 *
 * @param execution who
 * @param workflow what
 * @param target on what
 */
public record GateRequest(ExecutionRef execution, String workflow, Target target) {

    /** None of them is null. */
    public GateRequest {
        requireNonNull(execution, "execution is null");
        requireNonNull(workflow, "workflow is null");
        requireNonNull(target, "target is null");
    }
}
