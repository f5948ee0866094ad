package dev.escapement.kubernetes.run;

import dev.escapement.engine.execution.ExecutionSpec;
import java.util.Optional;

/** Checks the parameters of a request before anything is created for it. */
@FunctionalInterface
public interface ParameterCheck {

    /** For operators without declarations: only the executors check parameters. */
    ParameterCheck NONE = spec -> Optional.empty();

    /** Returns what is wrong; empty if nothing is, or if the workflow is not declared. */
    Optional<String> findProblem(ExecutionSpec spec);
}
