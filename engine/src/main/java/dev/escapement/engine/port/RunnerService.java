package dev.escapement.engine.port;

import dev.escapement.governor.ledger.ExecutionRef;
import java.util.function.Predicate;

/** The runs that one program looks after, from its start to its end. The runs themselves may outlive it. */
public interface RunnerService extends WorkflowRunner, RunLogs, AutoCloseable {

    /**
     * Finds the runs again that were going on when the program before this one ended. Before anything else.
     *
     * @param ours whether an execution is still carried on by this program and is not over; a run of any other is made
     *     to end, or removed if it has not begun
     * @return how many are going on
     */
    int recover(Predicate<ExecutionRef> ours);

    /** Removes what was kept of the run of an execution that was deleted, unless it is going on. */
    void deleteRunData(ExecutionRef execution);

    /** Stops looking after runs. They go on. */
    @Override
    void close();
}
