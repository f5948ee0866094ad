package dev.escapement.engine.port;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.RunProgress;
import dev.escapement.engine.execution.RunRef;
import dev.escapement.governor.failure.RunFacts;
import dev.escapement.governor.ledger.ExecutionRef;
import java.time.Instant;

/**
 * Prepares, starts, observes and stops runs. Refusals and failures are values; a call that throws has no result and is
 * retried.
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

        /** Started and not ended. The progress is not written if it is {@link RunProgress#UNKNOWN}. */
        record Running(RunProgress progress) implements Observation {}

        /** Ended with success. */
        record Succeeded(RunProgress progress, Instant at) implements Observation {}

        /** Ended without success. */
        record Failed(RunFacts facts) implements Observation {}

        /** There is certainly no run with this uid: confirmed by the executor itself, not by a cache. */
        record Missing() implements Observation {}
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

    /** Removes a suspended run if its version is still current. Returns whether it was. */
    boolean remove(RunRef run, String version);

    /** Removes the suspended run of an execution, if any, after it has finished without holding its target. */
    void removeSuspended(ExecutionRef execution);
}
