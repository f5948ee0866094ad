package dev.escapement.server;

import dev.escapement.common.WorkQueue;
import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.ExecutionRef;
import java.util.Optional;

/**
 * An execution to process.
 *
 * @param target its target if known; a deleted execution cannot be read to find it
 */
public record WorkItem(ExecutionRef execution, Optional<Target> target) implements WorkQueue.Item<WorkItem> {

    public static WorkItem of(ExecutionRef execution) {
        return new WorkItem(execution, Optional.empty());
    }

    @Override
    public Object key() {
        return execution.uid();
    }

    @Override
    public WorkItem mergedWith(WorkItem earlier) {
        return new WorkItem(execution, target.or(earlier::target));
    }
}
