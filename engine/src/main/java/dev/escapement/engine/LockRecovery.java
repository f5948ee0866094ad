package dev.escapement.engine;

import dev.escapement.engine.execution.RunRef;
import dev.escapement.engine.port.ExecutionStore;
import dev.escapement.engine.port.StoreWrite;
import dev.escapement.engine.port.Versioned;
import dev.escapement.engine.port.WorkflowRunner;
import dev.escapement.engine.port.WorkflowRunner.Observation;
import dev.escapement.governor.Policy;
import dev.escapement.governor.failure.StartStatus;
import dev.escapement.governor.ledger.ExecutionOutcome;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.ledger.LedgerEntry.Held;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Releases a target whose holder was deleted: first stops the run, then releases the target. If it is unknown whether a
 * step started, it counts as started.
 */
record LockRecovery(ExecutionStore store, WorkflowRunner runner) {

    Requeue recover(Versioned<LedgerEntry> entry, Held held, Policy policy, Instant now) {
        return outcome(held, policy, now)
                .map(outcome -> new StoreWrite.EntryUpdate(entry, held.release(outcome, now), now))
                .map(release -> store.apply(List.of(release)) ? Requeue.NEVER : Requeue.IMMEDIATELY)
                .orElse(Requeue.ON_CHANGE);
    }

    /** Returns how the holder ended; empty while its run is active. */
    private Optional<ExecutionOutcome> outcome(Held held, Policy policy, Instant now) {
        String uid = held.holder().runUid();
        if (uid.isEmpty()) {
            return Optional.of(new ExecutionOutcome.Withdrawn());
        }
        RunRef run = new RunRef(held.holder().runName(), uid);
        Observation observed = runner.observe(run);
        if (observed instanceof Observation.Suspended suspended) {
            return runner.remove(run, suspended.version())
                    ? Optional.of(new ExecutionOutcome.Withdrawn())
                    : Optional.empty();
        } else if (observed instanceof Observation.Running) {
            runner.stop(run, "deletion of execution " + held.holder().execution());
            return Optional.empty();
        } else if (observed instanceof Observation.Succeeded) {
            return Optional.of(new ExecutionOutcome.Completed());
        } else if (observed instanceof Observation.Failed failed && StartStatus.of(failed.facts()) == StartStatus.NO) {
            return Optional.of(held.failedStartOutcome("Cancelled", now, policy));
        }
        return Optional.of(new ExecutionOutcome.Lost());
    }
}
