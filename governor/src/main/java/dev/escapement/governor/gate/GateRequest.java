package dev.escapement.governor.gate;

import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.ExecutionRef;

/** A request to run a workflow on a target. */
public record GateRequest(ExecutionRef execution, String workflow, Target target) {}
