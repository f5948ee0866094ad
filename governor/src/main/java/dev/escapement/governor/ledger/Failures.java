package dev.escapement.governor.ledger;

import dev.escapement.governor.Policy;
import java.time.Instant;

/** Counts failures to start. */
final class Failures {

    private Failures() {}

    /**
     * The next failure to start: its number in the series, and the deadline with its jitter. The jitter is keyed by
     * target and execution, so that whoever computes it again after a crash gets the same deadline.
     */
    static Outcome.FailedBeforeExecution count(
            LedgerEntry entry, ExecutionRef execution, String workflow, String reason, Instant at, Policy policy) {
        int before = entry.memory().failures(policy.failureScope(), workflow);
        int number = before == Integer.MAX_VALUE ? before : before + 1;
        String key = entry.target().canonical() + "#" + execution.uid();
        return new Outcome.FailedBeforeExecution(
                reason, number, at.plus(policy.backoff().delay(number, key)));
    }
}
