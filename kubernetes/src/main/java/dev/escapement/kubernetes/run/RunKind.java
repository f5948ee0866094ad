package dev.escapement.kubernetes.run;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.RunProgress;
import dev.escapement.engine.port.WorkflowRunner.Observation;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.Optional;

/** What an executor knows about its objects. {@link KubernetesObjectRunner} does the rest. */
public interface RunKind<T extends HasMetadata> {

    /** What stands before the name of a run in its reference, such as {@code job}. */
    String prefix();

    /** The kind as people know it. */
    String kindName();

    /** The class of its objects. */
    Class<T> type();

    /** Why there can be no run of this execution, if that can be told without asking. */
    Optional<RunRejection> rejection(Execution execution);

    /** The run of an execution, suspended. */
    T newRun(Execution execution, ObjectMeta metadata);

    /** How far a run is that was just prepared. */
    RunProgress initialProgress();

    /** It was never let go, and nobody has asked it to stop. */
    boolean isSuspended(T run);

    /** It has come to an end, good or bad. */
    boolean isFinished(T run);

    /** It was asked to stop. */
    boolean isStopping(T run);

    /** Lets a suspended run go. */
    JsonPatch startPatch(JsonPatch patch);

    /** Asks a run that is going to stop. */
    JsonPatch stopPatch(JsonPatch patch, String by);

    /** What a run that is not suspended looks like. */
    Observation observe(T run);
}
