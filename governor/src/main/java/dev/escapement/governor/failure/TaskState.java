package dev.escapement.governor.failure;

/** How far a task came. When in doubt between two, adapters take the later one. */
public enum TaskState {
    /** The workflow itself said that this task is not needed. */
    SKIPPED,
    /** It exists, and the executor does not say that it runs: queued, unscheduled, waiting for images. */
    PENDING,
    /** The executor says that it runs. */
    RUNNING,
    /** It ended well. */
    SUCCEEDED,
    /** It ended with an error, and the workflow says to go on all the same. */
    IGNORED,
    /** It ended with an error, was cut off, or could not be started. */
    FAILED
}
