package dev.escapement.engine.port;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.RunProgress;
import dev.escapement.engine.execution.RunRef;
import dev.escapement.governor.failure.RunFacts;
import dev.escapement.governor.ledger.ExecutionRef;
import java.time.Instant;

/**
 * Prepares, starts and watches runs. A call that did not get through throws, costs nothing and is made again; refusals
 * and failures are values.
 */
public interface WorkflowRunner {

    /** What came of preparing. */
    sealed interface Preparation {

        /** A run exists and has no effect yet; the progress says how many tasks lie ahead, as far as that is known. */
        record Ready(RunRef run, String version, RunProgress progress) implements Preparation {}

        /** There can be no run: a definite answer. */
        record Refused(RunFacts facts) implements Preparation {}
    }

    /** What a run looks like now. */
    sealed interface Observation {

        /** Prepared and not started. */
        record Suspended(String version) implements Observation {}

        /**
         * Started and not ended. {@link RunProgress#UNKNOWN} if nothing is known of how far it is; nothing is written
         * then.
         */
        record Running(RunProgress progress) implements Observation {}

        /** Ended well. */
        record Succeeded(RunProgress progress, Instant at) implements Observation {}

        /** Ended, and not well. */
        record Failed(RunFacts facts) implements Observation {}

        /** There is no run with this uid; certainly not, whatever a cache says. */
        record Missing() implements Observation {}
    }

    /** Prepares the run of an execution, or finds the one that was prepared before. */
    Preparation prepare(Execution execution);

    /**
     * Lets a suspended run go, if it is still the version that was seen. Returns whether it was.
     *
     * @param epoch of the ledger entry under which it was admitted; the run carries it, so that whatever it acts on can
     *     refuse one that comes late
     */
    boolean start(RunRef run, String version, long epoch);

    /** Looks at a run. */
    Observation observe(RunRef run);

    /** Asks a started run to end; it ends some time later, as cancelled. Asking twice, or too late, does nothing. */
    void stop(RunRef run, String by);

    /** Removes a suspended run, if it is still the version that was seen. Returns whether it was. */
    boolean remove(RunRef run, String version);

    /**
     * Removes whatever run of this execution is suspended, if any: the execution is over and does not hold its target.
     */
    void removeSuspended(ExecutionRef execution);
}
