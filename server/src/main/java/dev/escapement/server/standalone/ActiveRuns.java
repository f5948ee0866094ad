package dev.escapement.server.standalone;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionStatus;
import dev.escapement.engine.execution.RunRef;
import dev.escapement.governor.ledger.ExecutionRef;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The runs that this server has let go and not seen the end of. When others have taken over, they count as lost, and
 * must not go on behind everybody's back.
 */
public final class ActiveRuns {

    private final Map<String, RunRef> runs = new ConcurrentHashMap<>();

    /** Takes note of what became of an execution. */
    public void update(Execution execution) {
        if (execution.status() instanceof ExecutionStatus.Running running) {
            runs.put(execution.ref().uid(), running.run());
        } else {
            runs.remove(execution.ref().uid());
        }
    }

    /**
     * Its target is free.
     *
     * @return its run, if nobody here has seen its end: others have ended it in the books, and it must not go on
     */
    public Optional<RunRef> remove(ExecutionRef execution) {
        return Optional.ofNullable(runs.remove(execution.uid()));
    }

    /** Whether a run of that execution goes on here. */
    public boolean contains(ExecutionRef execution) {
        return runs.containsKey(execution.uid());
    }

    /** All of them. */
    public List<RunRef> all() {
        return List.copyOf(runs.values());
    }
}
