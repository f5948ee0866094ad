package dev.escapement.engine.port;

import dev.escapement.engine.execution.RunRef;
import dev.escapement.governor.ledger.ExecutionRef;
import java.time.Instant;
import java.util.List;
import java.util.function.Predicate;

/** A runner with a lifecycle. Its runs may continue after it is closed. */
public interface RunnerService extends WorkflowRunner, RunLogs, AutoCloseable {

    /**
     * Finds the runs that were active when the previous process ended. Must be called before anything else.
     *
     * @param isOwned whether this process is responsible for an execution and it has not finished; a run of any other
     *     execution is stopped, or removed if it has not started
     * @return the number of active runs
     */
    int recover(Predicate<ExecutionRef> isOwned);

    /**
     * A run that has started and has not ended, as the runner itself knows it.
     *
     * @param target as written in the execution
     */
    record ActiveRun(ExecutionRef execution, String workflowId, String target, RunRef run, Instant startedAt) {}

    /**
     * Lists the runs of this machine that have started and have not ended, so that those that the store does not know
     * can be found. May be called before {@link #recover}. Empty if the store itself lists all runs.
     */
    default List<ActiveRun> listActiveRuns() {
        return List.of();
    }

    /** Removes the data of the run of a deleted execution, unless it is active. */
    void deleteRunData(ExecutionRef execution);

    /** Stops monitoring; active runs continue. */
    @Override
    void close();
}
