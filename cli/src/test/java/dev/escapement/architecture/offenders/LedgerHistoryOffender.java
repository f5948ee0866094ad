package dev.escapement.architecture.offenders;

import dev.escapement.governor.ledger.ExecutionOutcome;
import dev.escapement.governor.ledger.Holder;
import dev.escapement.governor.ledger.LedgerEntry;
import java.time.Instant;
import java.util.Optional;

/** Acquired a target without asking the gate, and invented a failure. */
public final class LedgerHistoryOffender {

    private LedgerHistoryOffender() {}

    static LedgerEntry acquire(LedgerEntry.Free free, Holder holder) {
        return free.acquire(holder);
    }

    static ExecutionOutcome invent(Instant at) {
        return ExecutionOutcome.FailedBeforeExecution.restore("Forbidden", at, 7, Optional.empty());
    }
}
