package dev.escapement.server;

import dev.escapement.common.WorkQueue;
import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.ExecutionRef;
import java.util.Optional;

/**
 * An execution to look at.
 *
 * @param execution which one
 * @param target what it is for, if that is known: after a deletion nobody else can say
 */
public record WorkItem(ExecutionRef execution, Optional<Target> target) implements WorkQueue.Item<WorkItem> {

    /** One that is there and knows its target. */
    public static WorkItem of(ExecutionRef execution) {
        return new WorkItem(execution, Optional.empty());
    }

    /** One that may be gone. */
    public static WorkItem of(ExecutionRef execution, Optional<Target> target) {
        return new WorkItem(execution, target);
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
