package dev.escapement.engine;

import dev.escapement.engine.execution.RunRef;
import dev.escapement.engine.port.Store;
import dev.escapement.engine.port.Versioned;
import dev.escapement.engine.port.WorkflowRunner;
import dev.escapement.engine.port.WorkflowRunner.Observation;
import dev.escapement.engine.port.Write;
import dev.escapement.governor.Policy;
import dev.escapement.governor.failure.Started;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.ledger.LedgerEntry.Held;
import dev.escapement.governor.ledger.Outcome;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Frees a target whose holder is gone, by rule and not by luck: first the run is stopped, then the target is released.
 * What cannot be known to have been harmless counts as having run.
 */
final class Healing {

    private final Store store;
    private final WorkflowRunner runner;

    Healing(Store store, WorkflowRunner runner) {
        this.store = store;
        this.runner = runner;
    }

    Next heal(Versioned<LedgerEntry> entry, Held held, Policy policy, Instant now) {
        return outcome(held, policy, now)
                .map(outcome -> new Write.Entry(entry, held.release(outcome, now), now))
                .map(release -> store.apply(List.of(release)) ? Next.DONE : Next.AGAIN)
                .orElse(Next.ON_CHANGE);
    }

    /** How it ended; empty while its run has not. */
    private Optional<Outcome> outcome(Held held, Policy policy, Instant now) {
        String uid = held.holder().run();
        if (uid.isEmpty()) {
            return Optional.of(new Outcome.Withdrawn());
        }
        RunRef run = new RunRef(held.holder().runName(), uid);
        Observation observed = runner.observe(run);
        if (observed instanceof Observation.Suspended suspended) {
            return runner.remove(run, suspended.version()) ? Optional.of(new Outcome.Withdrawn()) : Optional.empty();
        } else if (observed instanceof Observation.Going) {
            runner.stop(run, "deletion of execution " + held.holder().execution());
            return Optional.empty();
        } else if (observed instanceof Observation.Succeeded) {
            return Optional.of(new Outcome.Completed());
        } else if (observed instanceof Observation.Failed failed && Started.inAnyStepOf(failed.facts()) == Started.NO) {
            return Optional.of(held.couldNotStart("Cancelled", now, policy));
        }
        return Optional.of(new Outcome.Lost());
    }
}
