package dev.escapement.server.worker;

import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.ExecutionRef;
import java.util.Optional;

/**
 * An execution to look at.
 *
 * @param execution which one
 * @param target what it is for, if that is known: after a deletion nobody else can say
 */
public record Work(ExecutionRef execution, Optional<Target> target) {

    /** One that is there and knows its target. */
    public static Work on(ExecutionRef execution) {
        return new Work(execution, Optional.empty());
    }

    /** One that may be gone. */
    public static Work on(ExecutionRef execution, Optional<Target> target) {
        return new Work(execution, target);
    }

    Work or(Work earlier) {
        return new Work(execution, target.or(earlier::target));
    }
}
