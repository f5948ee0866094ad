package dev.escapement.server.standalone;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionStatus;
import dev.escapement.engine.execution.RunRef;
import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.ExecutionRef;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The runs that this server has started and that have not ended. They are stopped when another server takes over. Also
 * keeps the targets of deleted executions whose runs are being stopped, because the notification of their end does not
 * name the target. After a crash {@link LedgerCleaner#releaseOrphans} finds those.
 */
public final class ActiveRuns {

    private final Map<String, RunRef> runs = new ConcurrentHashMap<>();
    private final Map<String, Target> stoppingTargets = new ConcurrentHashMap<>();

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

    Optional<Target> findStoppingTarget(ExecutionRef deleted) {
        return Optional.ofNullable(stoppingTargets.get(deleted.uid()));
    }

    void putStoppingTarget(ExecutionRef deleted, Target target) {
        stoppingTargets.put(deleted.uid(), target);
    }

    void removeStoppingTarget(ExecutionRef deleted) {
        stoppingTargets.remove(deleted.uid());
    }
}
