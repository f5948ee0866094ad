package dev.escapement.benchmarks.governor;

import dev.escapement.governor.gate.GateRequest;
import dev.escapement.governor.ledger.ExecutionOutcome;
import java.time.Instant;
import java.util.Optional;

/**
 * An execution as the list of all executions has it.
 *
 * @param request what it was asked to do
 * @param end how it ended; empty while it runs
 */
record ListedExecution(GateRequest request, Optional<ExecutionEnd> end) {

    /** How, and when. */
    record ExecutionEnd(ExecutionOutcome outcome, Instant at) {}

    ListedExecution withEnd(ExecutionOutcome outcome, Instant at) {
        return new ListedExecution(request, Optional.of(new ExecutionEnd(outcome, at)));
    }
}
