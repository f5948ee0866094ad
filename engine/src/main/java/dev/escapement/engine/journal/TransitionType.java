package dev.escapement.engine.journal;

/** The types of transitions. Each name is also the reason of a Kubernetes Event. */
public enum TransitionType {
    /** An execution was created. */
    WorkflowAccepted,
    /** An execution is not decided at once: it waits, or the executor is unavailable. */
    WorkflowPending,
    /** An execution acquired its target and its run is started. */
    PipelineRunCreated,
    /** An execution succeeded. */
    WorkflowCompleted,
    /** An execution failed, before or after its first step started. */
    WorkflowFailed,
    /** The gate did not admit an execution. */
    WorkflowSkipped,
    /** A target was released; it may be blocked. */
    LockReleased,
    /** A person cleared a target. */
    BlockCleared,
    /** The cancellation of an execution was requested. */
    CancellationRequested,
    /** An execution was deleted. */
    ExecutionDeleted
}
