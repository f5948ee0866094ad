package dev.escapement.governor.model;

import dev.escapement.governor.ledger.ExecutionOutcome;
import java.util.Optional;

/** The values of a model state; ledger entries are the governor's own. */
final class ModelValues {

    private ModelValues() {}

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

    /** The stored status of an execution: its run while it is Running, its outcome once it has ended. */
    record Status(Phase phase, String run, Optional<ExecutionOutcome> outcome) {

        static final Status PENDING = of(Phase.PENDING);
        static final Status GONE = of(Phase.GONE);
        static final Status SKIPPED = of(Phase.SKIPPED);

        static Status of(Phase phase) {
            return new Status(phase, "", Optional.empty());
        }

        static Status running(String run) {
            return new Status(Phase.RUNNING, run, Optional.empty());
        }

        static Status ended(ExecutionOutcome outcome) {
            return new Status(
                    outcome instanceof ExecutionOutcome.Completed ? Phase.COMPLETED : Phase.FAILED,
                    "",
                    Optional.of(outcome));
        }

        /** Returns the outcome that a release records. */
        ExecutionOutcome releaseOutcome() {
            return outcome.orElseGet(ExecutionOutcome.Withdrawn::new);
        }
    }

    enum RunState {
        NONE,
        SUSPENDED,
        RUNNING,
        SUCCEEDED,
        FAILED_BEFORE,
        FAILED_DURING;

        boolean hasEnded() {
            return this == SUCCEEDED || this == FAILED_BEFORE || this == FAILED_DURING;
        }
    }

    record Run(String uid, RunState state) {
        static final Run NONE = new Run("", RunState.NONE);

        Run withState(RunState next) {
            return new Run(uid, next);
        }
    }

    enum ControllerStep {
        SKIP,
        PREPARE,
        COMMIT,
        CHECK,
        INSPECT_OTHER,
        SKIP_OTHER,
        REMOVE_OTHER,
        HAND_OVER,
        RESTORE,
        EARLY_START,
        RECORD,
        FAIL,
        START,
        FINISH,
        RELEASE,
        RECOVER,
        RECOVER_RELEASE
    }

    /**
     * The next write of a controller, with the versions that it read. The controller may be paused before it forever.
     *
     * @param entry the number of the ledger entry to acquire from; -1 if not applicable
     * @param other the execution whose run the check has found, with its own versions; empty if not applicable
     */
    record PendingWrite(
            int execution,
            ControllerStep step,
            String run,
            int ledgerVersion,
            int statusVersion,
            int runVersion,
            int entry,
            Optional<ExecutionOutcome> outcome,
            Optional<FoundRun> other) {

        /** A run of another execution on the same target. */
        record FoundRun(int execution, Run run, int runVersion, int statusVersion) {}

        static PendingWrite of(int execution, ControllerStep step) {
            return new PendingWrite(execution, step, "", -1, -1, -1, -1, Optional.empty(), Optional.empty());
        }

        PendingWrite withStep(ControllerStep next) {
            return new PendingWrite(
                    execution, next, run, ledgerVersion, statusVersion, runVersion, entry, outcome, other);
        }

        PendingWrite run(String uid) {
            return new PendingWrite(
                    execution, step, uid, ledgerVersion, statusVersion, runVersion, entry, outcome, other);
        }

        PendingWrite withLedgerVersion(int version, int acquireFrom) {
            return new PendingWrite(
                    execution, step, run, version, statusVersion, runVersion, acquireFrom, outcome, other);
        }

        PendingWrite withStatusVersion(int version) {
            return new PendingWrite(execution, step, run, ledgerVersion, version, runVersion, entry, outcome, other);
        }

        PendingWrite withRunVersion(int version) {
            return new PendingWrite(execution, step, run, ledgerVersion, statusVersion, version, entry, outcome, other);
        }

        PendingWrite outcome(ExecutionOutcome ended) {
            return new PendingWrite(
                    execution, step, run, ledgerVersion, statusVersion, runVersion, entry, Optional.of(ended), other);
        }

        PendingWrite other(FoundRun found) {
            return new PendingWrite(
                    execution, step, run, ledgerVersion, statusVersion, runVersion, entry, outcome, Optional.of(found));
        }

        /** Continues the check with a new list of the runs on the target. */
        PendingWrite checkAgain() {
            return new PendingWrite(
                    execution, ControllerStep.CHECK, run, -1, statusVersion, -1, -1, outcome, Optional.empty());
        }
    }
}
