package dev.escapement.governor.failure;

/** The state of a task. If two are possible, an adapter reports the later one. */
public enum TaskState {
    /** The workflow's own condition excluded the task. */
    SKIPPED,
    /** It exists and is not reported as running: queued, unscheduled, waiting for images. */
    PENDING,
    /** The executor reports it as running. */
    RUNNING,
    /** It succeeded. */
    SUCCEEDED,
    /** It ended with an error that the workflow ignores. */
    IGNORED,
    /** It ended with an error, was interrupted, or could not be started. */
    FAILED
}
