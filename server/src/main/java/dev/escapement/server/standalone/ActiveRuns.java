package dev.escapement.server.standalone;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionStatus;
import dev.escapement.engine.execution.RunRef;
import dev.escapement.governor.ledger.ExecutionRef;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The runs that this server has started and that have not ended. They are stopped when another server takes over. */
public final class ActiveRuns {

    private final Map<String, RunRef> runs = new ConcurrentHashMap<>();

    /** Adds or removes the run of an execution by its status. */
    public void update(Execution execution) {
        if (execution.status() instanceof ExecutionStatus.Running running) {
            runs.put(execution.ref().uid(), running.run());
        } else {
            runs.remove(execution.ref().uid());
        }
    }

    /** Removes the run of an execution. Returns it if it was active. */
    public Optional<RunRef> remove(ExecutionRef execution) {
        return Optional.ofNullable(runs.remove(execution.uid()));
    }

    public boolean contains(ExecutionRef execution) {
        return runs.containsKey(execution.uid());
    }

    public List<RunRef> all() {
        return List.copyOf(runs.values());
    }
}
