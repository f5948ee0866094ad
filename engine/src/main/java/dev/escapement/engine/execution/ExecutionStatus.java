package dev.escapement.engine.execution;

import dev.escapement.governor.failure.Failure;
import dev.escapement.governor.gate.SkipReason;
import dev.escapement.governor.ledger.EndedExecution;
import dev.escapement.governor.ledger.ExecutionOutcome;
import dev.escapement.governor.ledger.Holder;
import dev.escapement.governor.ledger.LedgerEntry;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** The status of an execution. Each phase is a type that has methods only for the permitted next phases. */
public sealed interface ExecutionStatus {

    /** Returns the name of the phase on the wire. */
    default String phase() {
        return getClass().getSimpleName();
    }

    /** Returns the run, if there is or was one. */
    default Optional<RunRef> runRef() {
        if (this instanceof Running running) {
            return Optional.of(running.run());
        } else if (this instanceof Completed completed) {
            return Optional.of(completed.run());
        }
        return this instanceof Failed failed ? failed.run() : Optional.empty();
    }

    /** Returns when the execution acquired its target, if it did. */
    default Optional<Instant> acquiredAt() {
        if (this instanceof Running running) {
            return Optional.of(running.startTime());
        } else if (this instanceof Completed completed) {
            return Optional.of(completed.startTime());
        }
        return this instanceof Failed failed ? failed.startTime() : Optional.empty();
    }

    /** Returns the progress of the run; {@link RunProgress#UNKNOWN} without a run. */
    default RunProgress progress() {
        return RunProgress.UNKNOWN;
    }

    /**
     * Created, and not decided by the gate.
     *
     * @param details why it was not decided at once; empty while nothing delays it
     */
    record Pending(Optional<PendingDetails> details) implements ExecutionStatus {

        public Pending() {
            this(Optional.empty());
        }

        /**
         * Returns this status with a reason. Equal to this one if nothing changes, so that nothing has to be written:
         * while the reason stays the same, so does the time since when.
         *
         * @param until when the delay ends at the latest, if that is known
         */
        public Pending because(PendingReason reason, String message, Instant now, Optional<Instant> until) {
            Instant since = details.filter(known -> known.reason() == reason)
                    .map(PendingDetails::since)
                    .orElse(now);
            return new Pending(Optional.of(new PendingDetails(reason, message, since, until)));
        }

        /** The execution has acquired its target. */
        public Running toRunning(RunRef run, long epoch, Instant at, RunProgress progress) {
            return new Running(run, epoch, at, progress);
        }

        public Skipped toSkipped(SkipDetails details) {
            return new Skipped(details);
        }

        public Failed toFailed(Failure failure, ExecutionOutcome outcome) {
            return new Failed(Optional.empty(), Optional.empty(), RunProgress.UNKNOWN, failure, outcome);
        }
    }

    /**
     * The execution holds its target, and its run may be active.
     *
     * @param run the only run that may be started
     * @param epoch of the ledger entry when it acquired the target
     * @param startTime when it acquired the target
     */
    record Running(RunRef run, long epoch, Instant startTime, RunProgress progress) implements ExecutionStatus {

        public Running withProgress(RunProgress updated) {
            return new Running(run, epoch, startTime, updated);
        }

        /** The completion is never before the start, even if the executor's clock is behind. */
        public Completed toCompleted(RunProgress last, Instant at) {
            return new Completed(run, startTime, at.isBefore(startTime) ? startTime : at, last);
        }

        public Failed toFailed(Failure failure, ExecutionOutcome outcome) {
            return new Failed(Optional.of(run), Optional.of(startTime), progress, failure, outcome);
        }
    }

    /** A terminal phase. */
    sealed interface Final extends ExecutionStatus {

        Instant completionTime();

        /** Returns the outcome to record in the ledger if this execution still holds its target. */
        ExecutionOutcome outcome();

        /** Returns the entry of the target after this execution has released it. */
        default LedgerEntry.Free release(LedgerEntry.Held held) {
            return held.release(outcome(), completionTime());
        }
    }

    /** The execution succeeded. */
    record Completed(RunRef run, Instant startTime, Instant completionTime, RunProgress progress) implements Final {
        @Override
        public ExecutionOutcome outcome() {
            return new ExecutionOutcome.Completed();
        }

        public Duration duration() {
            return Duration.between(startTime, completionTime);
        }
    }

    /**
     * The execution failed.
     *
     * @param run the run, if there was one
     * @param startTime when it acquired its target, if it did
     * @param outcome what the ledger records
     */
    record Failed(
            Optional<RunRef> run,
            Optional<Instant> startTime,
            RunProgress progress,
            Failure failure,
            ExecutionOutcome outcome)
            implements Final {

        @Override
        public Instant completionTime() {
            return failure.failedAt();
        }
    }

    /** The gate did not admit the execution. */
    record Skipped(SkipDetails details) implements Final {
        @Override
        public Instant completionTime() {
            return details.skippedAt();
        }

        @Override
        public ExecutionOutcome outcome() {
            return new ExecutionOutcome.Withdrawn();
        }
    }

    /** What delays an execution. The names are those that users see in {@code pendingDetails.reason}. */
    enum PendingReason {
        /** It waits until the gate admits it. */
        Waiting,
        /** The executor does not accept its run. */
        ExecutorUnavailable,
        /** Its processing fails again and again, for example because its ledger entry is damaged. */
        Retrying
    }

    /**
     * Why an execution is still pending.
     *
     * @param message for a person
     * @param since when this reason began
     * @param until when the delay ends at the latest, if that is known
     */
    record PendingDetails(PendingReason reason, String message, Instant since, Optional<Instant> until) {}

    /**
     * Why an execution was skipped.
     *
     * @param message for a person
     * @param conflictingHolder the holder of the target, if that is the reason
     * @param recentExecution the ended execution that is the reason, if there is one
     * @param allowedAt from when the same request is admitted, if time alone is enough
     */
    record SkipDetails(
            SkipReason reason,
            String message,
            Instant skippedAt,
            Optional<Holder> conflictingHolder,
            Optional<EndedExecution> recentExecution,
            Optional<Instant> allowedAt) {}
}
