package dev.escapement.kubernetes.run;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.RunProgress;
import dev.escapement.engine.port.WorkflowRunner.Observation;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.Optional;

/** What an executor knows about its objects; {@link KubernetesObjectRunner} does the rest. */
public interface RunKind<T extends HasMetadata> {

    /** Returns the prefix of the run reference, such as {@code job}. */
    String prefix();

    /** Returns the Kubernetes kind. */
    String kindName();

    Class<T> type();

    /** Returns why this execution cannot run, as far as that follows from the execution alone. */
    Optional<RunRejection> rejection(Execution execution);

    /** Returns the run of an execution, suspended; nothing is created. */
    T newRun(Execution execution, ObjectMeta metadata);

    /** Returns the progress of a run that was just prepared. */
    RunProgress initialProgress();

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
