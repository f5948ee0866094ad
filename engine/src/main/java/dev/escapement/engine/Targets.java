package dev.escapement.engine;

import dev.escapement.engine.execution.Execution;
import dev.escapement.governor.Target;
import java.util.Optional;

/** The target of an execution, which anybody may have written. */
final class Targets {

    private Targets() {}

    /** Empty if it is none. */
    static Optional<Target> of(Execution execution) {
        try {
            return Optional.of(Target.parse(execution.spec().targetResource()));
        } catch (IllegalArgumentException refused) {
            return Optional.empty();
        }
    }
}
