package dev.escapement.benchmarks.governor;

import dev.escapement.governor.gate.GateRequest;
import dev.escapement.governor.ledger.ExecutionOutcome;
import java.time.Instant;
import java.util.Optional;

/**
 * An execution as the list of all executions has it.
 *
 * @param request what it was asked to do
 * @param ending how it ended; empty while it runs
 */
record PastExecution(GateRequest request, Optional<Ending> ending) {

    /** How, and when. */
    record Ending(ExecutionOutcome outcome, Instant at) {}

    PastExecution ended(ExecutionOutcome outcome, Instant at) {
        return new PastExecution(request, Optional.of(new Ending(outcome, at)));
    }
}
