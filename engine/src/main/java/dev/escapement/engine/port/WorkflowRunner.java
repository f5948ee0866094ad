package dev.escapement.engine.port;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.RunProgress;
import dev.escapement.engine.execution.RunRef;
import dev.escapement.governor.Target;
import dev.escapement.governor.failure.RunFacts;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.Holder;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Prepares, starts, observes and stops runs. Refusals and failures are values; a call that throws has no result and is
 * retried. An {@link ExecutorUnavailableException} is retried for a limited time.
 */
public interface WorkflowRunner {

    /** The result of {@link #prepare}. */
    sealed interface Preparation {

        /** The run exists and is suspended; the progress has the number of its tasks, if known. */
        record Ready(RunRef run, String version, RunProgress progress) implements Preparation {}

        /** The run cannot be created, and a retry does not help. */
        record Refused(RunFacts facts) implements Preparation {}
    }

    /** The current state of a run. */
    sealed interface Observation {

        /** Prepared and not started. */
        record Suspended(String version) implements Observation {}

        /**
         * Started, and nothing of it has run: the executor has not picked it up, or cannot create what would run.
         *
         * @param version under which it can be withdrawn
         * @param since when it was started
         * @param refusal why the executor cannot run it; empty if the executor has not reacted yet
         */
        record Stalled(String version, Instant since, Optional<RunFacts> refusal) implements Observation {}

        /**
         * Started and not ended.
         *
         * @param progress not written if it is {@link RunProgress#UNKNOWN}
         * @param deadline when the executor ends it at the latest; empty if this runner enforces all timeouts itself
         * @param stopRequestedAt when it was requested to stop; empty if it was not, or if this runner enforces a stop
         *     itself
         * @param checkAt when its progress is worth another look even if nothing has changed by then
         */
        record Running(
                RunProgress progress,
                Optional<Instant> deadline,
                Optional<Instant> stopRequestedAt,
                Optional<Instant> checkAt)
                implements Observation {

            /** A run whose limits its runner enforces. */
            public Running(RunProgress progress) {
                this(progress, Optional.empty(), Optional.empty(), Optional.empty());
            }
        }

        /** Ended with success. */
        record Succeeded(RunProgress progress, Instant at) implements Observation {}

        /** Ended without success. */
        record Failed(RunFacts facts) implements Observation {}

        /** There is certainly no run with this uid: confirmed by the executor itself, not by a cache. */
        record Missing() implements Observation {}
    }

    /** The result of {@link #withdraw}. */
    enum Withdrawal {
        /** The version is not current: observe the run again. */
        CONFLICT,
        /** The run cannot start any more. Observing it gives the failure as soon as that is certain. */
        MARKED,
        /** The run cannot start any more, and does not exist any more. */
        REMOVED
    }

    /**
     * Returns why the request of an execution is invalid: an unknown workflow or engine, parameters that its workflow
     * does not accept, a missing or malformed image. Looks at the specification and at what this runner knows, and does
     * not ask the executor, so that it has an answer whatever state the target is in.
     *
     * @return empty if the request is valid
     */
    default Optional<String> validate(Execution execution) {
        return Optional.empty();
    }

    /**
     * A run on a target, with what it says about its execution.
     *
     * @param suspendedVersion the version under which it can be removed; empty once it was started
     * @param ended whether it was started and has ended
     */
    record TargetRun(
            ExecutionRef execution, String workflow, RunRef run, Optional<String> suspendedVersion, boolean ended) {

        /** Returns whether it was started and has not ended. */
        public boolean isActive() {
            return suspendedVersion.isEmpty() && !ended;
        }

        /** Returns the execution as the holder of its target. */
        public Holder asHolder(Instant since) {
            return new Holder(execution, workflow, run.uid(), run.name(), since);
        }
    }

    /** Prepares the run of an execution, or returns the one that was prepared before. */
    Preparation prepare(Execution execution);

    /**
     * Starts a suspended run if its version is still current.
     *
     * @param epoch of the ledger entry under which it was admitted; passed to the run as a fencing token
     * @return whether the version was current
     */
    boolean start(RunRef run, String version, long epoch);

    Observation observe(RunRef run);

    /** Requests a started run to stop; it ends some time later, as cancelled. No effect on an ended run. */
    void stop(RunRef run, String actor);

    /** Requests a started run to stop because it is past its timeout; it ends some time later, as timed out. */
    default void expire(RunRef run) {
        stop(run, "its timeout");
    }

    /**
     * Removes a started run that its executor does not stop. Whatever it created is ended by the platform, if at all.
     *
     * @return false if it has ended or vanished meanwhile: observe it again
     * @throws UnsupportedOperationException if this runner enforces a stop itself
     */
    default boolean removeStarted(RunRef run) {
        throw new UnsupportedOperationException("run " + run.name() + " is stopped by its runner itself");
    }

    /**
     * Prevents a stalled run from ever starting, if its version is still current.
     *
     * @param facts why; observing the run gives them as its failure
     */
    default Withdrawal withdraw(RunRef run, String version, RunFacts facts) {
        return remove(run, version) ? Withdrawal.REMOVED : Withdrawal.CONFLICT;
    }

    /** Removes a suspended run if its version is still current. Returns whether it was. */
    boolean remove(RunRef run, String version);

    /** Removes the suspended run of an execution, if any, after it has finished without holding its target. */
    void removeSuspended(ExecutionRef execution);

    /**
     * Lists the runs on a target, of all executions and in any state: from the executor itself, not from a cache. Only
     * needed if the store {@link ExecutionStore#canLoseEntries can lose entries}.
     */
    default List<TargetRun> findRuns(Target target) {
        return List.of();
    }

    /** Returns the run of an execution that was started and has not ended, whatever the ledger says. May be stale. */
    default Optional<TargetRun> findActiveRun(ExecutionRef execution) {
        return Optional.empty();
    }
}
