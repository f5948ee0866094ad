package dev.escapement.engine.request;

import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.LedgerEntry;
import java.time.Duration;
import java.time.Instant;

/**
 * How long finished executions are kept.
 *
 * @param period zero to keep them for ever
 */
public record Retention(Duration period) {

    public boolean isLimited() {
        return !period.isZero();
    }

    /** Returns the time before which executions must have finished to be removed now. */
    public Instant cutoff(Instant now) {
        return now.minus(period);
    }

    /** An execution that blocks its target, or that the ledger remembers for another reason, stays as the evidence. */
    public static boolean isNeeded(ExecutionRef execution, LedgerEntry entry) {
        return entry.heldBy(execution).isPresent()
                || entry.memory()
                        .endedExecutions()
                        .anyMatch(past -> past.execution().hasUid(execution.uid()));
    }
}
