package dev.escapement.benchmarks.governor;

import dev.escapement.governor.gate.GateRequest;
import dev.escapement.governor.ledger.ExecutionOutcome;
import java.time.Instant;
import java.util.Optional;

/**
 * An element of the list of all executions.
 *
 * @param request its request
 * @param end its outcome; empty while it runs
 */
record ListedExecution(GateRequest request, Optional<ExecutionEnd> end) {

    record ExecutionEnd(ExecutionOutcome outcome, Instant at) {}

    ListedExecution withEnd(ExecutionOutcome outcome, Instant at) {
        return new ListedExecution(request, Optional.of(new ExecutionEnd(outcome, at)));
    }
}
