package dev.escapement.engine.journal;

/** What can happen. The names are those of the Kubernetes Events that they become. */
public enum TransitionType {

    /** An execution was asked for and is stored. */
    WorkflowAccepted,

    /** It holds its target, and its one run is let go. */
    PipelineRunCreated,

    /** It did what it should. */
    WorkflowCompleted,

    /** It failed, before or during execution. */
    WorkflowFailed,

    /** The gate said no. */
    WorkflowSkipped,

    /** A target is no longer held; it may be blocked. */
    LockReleased,

    /** A person cleared a target. */
    BlockCleared,

    /** A person wants an execution to stop. */
    CancellationRequested,

    /** A person deleted an execution. */
    ExecutionDeleted
}
