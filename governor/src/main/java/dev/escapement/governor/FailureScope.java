package dev.escapement.governor;

/** What a failure holds back. The lock is always one per target. */
public enum FailureScope {
    /** Every workflow on the target: its cause may affect all of them. */
    TARGET,
    /** Only the workflow that failed. */
    WORKFLOW
}
