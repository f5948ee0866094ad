package dev.escapement.kubernetes.run;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionSpec;
import dev.escapement.engine.execution.RunProgress;
import dev.escapement.engine.port.WorkflowRunner.Observation;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.Locale;
import java.util.Optional;

/** What an executor knows about its objects; {@link KubernetesObjectRunner} does the rest. */
public interface RunKind<T extends HasMetadata> {

    Class<T> type();

    default String kindName() {
        return HasMetadata.getKind(type());
    }

    /** Returns the prefix of the run reference, such as {@code job}. */
    default String prefix() {
        return kindName().toLowerCase(Locale.ROOT);
    }

    /** Returns what a workflow without an image lacks, and how to give it. */
    String missingImageMessage();

    /** Returns an error message if a parameter cannot be passed to the run. */
    default Optional<String> findInvalidParameter(ExecutionSpec spec) {
        return Optional.empty();
    }

    /** Returns the run of an execution, suspended; nothing is created. */
    T newRun(Execution execution, ObjectMeta metadata);

    /** Returns the progress of a run that was just prepared; unknown if only the start shows how many tasks it has. */
    default RunProgress initialProgress() {
        return RunProgress.UNKNOWN;
    }

    /** Returns whether the run was neither started nor stopped. */
    boolean isSuspended(T run);

    boolean isFinished(T run);

    /** Returns whether a stop was requested. */
    boolean isStopping(T run);

    /** Adds the operations that start a suspended run. */
    JsonPatch startPatch(JsonPatch patch);

    /** Adds the operations that stop a running run. */
    JsonPatch stopPatch(JsonPatch patch, String by);

    /** Returns the state of a run that is not suspended. */
    Observation observe(T run);
}
