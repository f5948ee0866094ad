package dev.escapement.governor.model;

import dev.escapement.governor.ledger.Outcome;
import java.util.Optional;

/** The small values that the model's world is made of; the ledger's entries are the real ones. */
final class Facts {

    private Facts() {}

    enum Phase {
        PENDING,
        RUNNING,
        COMPLETED,
        FAILED,
        SKIPPED,
        /** The object was deleted. */
        GONE;

        boolean isFinal() {
            return this == COMPLETED || this == FAILED || this == SKIPPED;
        }
    }

    /** An execution's stored status; the run that it names while it runs, the outcome once it failed. */
    record Status(Phase phase, String run, Optional<Outcome> outcome) {

        static final Status PENDING = of(Phase.PENDING);
        static final Status GONE = of(Phase.GONE);
        static final Status SKIPPED = of(Phase.SKIPPED);

        static Status of(Phase phase) {
            return new Status(phase, "", Optional.empty());
        }

        static Status running(String run) {
            return new Status(Phase.RUNNING, run, Optional.empty());
        }

        static Status ended(Outcome outcome) {
            return new Status(
                    outcome instanceof Outcome.Completed ? Phase.COMPLETED : Phase.FAILED, "", Optional.of(outcome));
        }

        /** What a release of this final execution records. */
        Outcome toRelease() {
            return outcome.orElseGet(Outcome.Withdrawn::new);
        }
    }

    enum RunState {
        NONE,
        SUSPENDED,
        GOING,
        SUCCEEDED,
        FAILED_BEFORE,
        FAILED_DURING;

        boolean hasEnded() {
            return this == SUCCEEDED || this == FAILED_BEFORE || this == FAILED_DURING;
        }
    }

    record Run(String uid, RunState state) {
        static final Run NONE = new Run("", RunState.NONE);

        Run in(RunState next) {
            return new Run(uid, next);
        }
    }

    enum Step {
        SKIP,
        PREPARE,
        COMMIT,
        EARLY_START,
        RECORD,
        FAIL,
        START,
        FINISH,
        RELEASE,
        HEAL,
        HEAL_RELEASE
    }

    /**
     * What a controller is about to do, with the versions that it saw. It may be paused here for ever.
     *
     * @param entry the ledger entry to acquire from, as a number; -1 if that is of no concern
     */
    record Work(
            int execution,
            Step step,
            String run,
            int ledgerVersion,
            int statusVersion,
            int runVersion,
            int entry,
            Optional<Outcome> outcome) {

        static Work of(int execution, Step step) {
            return new Work(execution, step, "", -1, -1, -1, -1, Optional.empty());
        }

        Work then(Step next) {
            return new Work(execution, next, run, ledgerVersion, statusVersion, runVersion, entry, outcome);
        }

        Work run(String uid) {
            return new Work(execution, step, uid, ledgerVersion, statusVersion, runVersion, entry, outcome);
        }

        Work sawLedger(int version, int acquireFrom) {
            return new Work(execution, step, run, version, statusVersion, runVersion, acquireFrom, outcome);
        }

        Work sawStatus(int version) {
            return new Work(execution, step, run, ledgerVersion, version, runVersion, entry, outcome);
        }

        Work sawRun(int version) {
            return new Work(execution, step, run, ledgerVersion, statusVersion, version, entry, outcome);
        }

        Work outcome(Outcome ended) {
            return new Work(execution, step, run, ledgerVersion, statusVersion, runVersion, entry, Optional.of(ended));
        }
    }
}
