package dev.escapement.engine.execution;

import static java.util.Objects.requireNonNull;

import dev.escapement.governor.failure.Failure;
import dev.escapement.governor.gate.SkipReason;
import dev.escapement.governor.ledger.EndedExecution;
import dev.escapement.governor.ledger.ExecutionOutcome;
import dev.escapement.governor.ledger.Holder;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * What became of an execution. Each phase is a type, and a type has methods only for what may come next: a final one
 * has none.
 */
public sealed interface ExecutionStatus {

    /** The phase as users see it. */
    default String phase() {
        return getClass().getSimpleName();
    }

    /** Accepted, not decided. */
    record Pending() implements ExecutionStatus {

        /** The target is held and its one run is named. */
        public Running toRunning(RunRef run, long epoch, Instant at, RunProgress progress) {
            return new Running(run, epoch, at, progress);
        }

        /** The gate said no. */
        public Skipped toSkipped(SkipDetails details) {
            return new Skipped(details);
        }

        /** It could not be started. */
        public Failed toFailed(Failure failure, ExecutionOutcome outcome) {
            return new Failed(Optional.empty(), Optional.empty(), RunProgress.UNKNOWN, failure, outcome);
        }
    }

    /**
     * Its run may be going.
     *
     * @param run the very run
     * @param epoch of the ledger when it took the target
     * @param startTime when
     * @param progress how far it is
     */
    record Running(RunRef run, long epoch, Instant startTime, RunProgress progress) implements ExecutionStatus {

        /** None of them is null. */
        public Running {
            requireNonNull(run, "run is null");
            requireNonNull(startTime, "startTime is null");
            requireNonNull(progress, "progress is null");
        }

        /** The same, a little further. */
        public Running withProgress(RunProgress further) {
            return new Running(run, epoch, startTime, further);
        }

        /** It did what it should. Not before it was let go, whatever clock the executor has. */
        public Completed toCompleted(RunProgress done, Instant at) {
            return new Completed(run, startTime, at.isBefore(startTime) ? startTime : at, done);
        }

        /** It did not. */
        public Failed toFailed(Failure failure, ExecutionOutcome outcome) {
            return new Failed(Optional.of(run), Optional.of(startTime), progress, failure, outcome);
        }
    }

    /** What nothing comes after. */
    sealed interface Final extends ExecutionStatus {

        /** When it ended. */
        Instant completionTime();

        /** What the ledger is told if this execution still holds its target. */
        ExecutionOutcome outcome();
    }

    /** It did what it should. */
    record Completed(RunRef run, Instant startTime, Instant completionTime, RunProgress progress) implements Final {
        @Override
        public ExecutionOutcome outcome() {
            return new ExecutionOutcome.Completed();
        }

        /** How long it took. */
        public Duration duration() {
            return Duration.between(startTime, completionTime);
        }
    }

    /**
     * It failed.
     *
     * @param run the run, if there was one
     * @param startTime when it took its target, if it did
     * @param progress how far the run came; {@link RunProgress#UNKNOWN} without one
     * @param failure why, and whether anything had started
     * @param outcome what the ledger remembers; with the number and the deadline if it may be tried again
     */
    record Failed(
            Optional<RunRef> run,
            Optional<Instant> startTime,
            RunProgress progress,
            Failure failure,
            ExecutionOutcome outcome)
            implements Final {

        /** None of them is null. */
        public Failed {
            requireNonNull(run, "run is null");
            requireNonNull(startTime, "startTime is null");
            requireNonNull(progress, "progress is null");
            requireNonNull(failure, "failure is null");
            requireNonNull(outcome, "outcome is null");
        }

        @Override
        public Instant completionTime() {
            return failure.failedAt();
        }
    }

    /** The gate said no. */
    record Skipped(SkipDetails details) implements Final {
        @Override
        public Instant completionTime() {
            return details.skippedAt();
        }

        /** If it was skipped while it was being admitted, it leaves no trace. */
        @Override
        public ExecutionOutcome outcome() {
            return new ExecutionOutcome.Withdrawn();
        }
    }

    /**
     * Why it was skipped.
     *
     * @param reason as a code
     * @param message for a person
     * @param skippedAt when
     * @param conflictingHolder who held the target, if that is the reason
     * @param recentExecution the ended execution that is the reason, if that is it
     * @param allowedAt from when on it would have been admitted, if time alone is in the way
     */
    record SkipDetails(
            SkipReason reason,
            String message,
            Instant skippedAt,
            Optional<Holder> conflictingHolder,
            Optional<EndedExecution> recentExecution,
            Optional<Instant> allowedAt) {}
}
