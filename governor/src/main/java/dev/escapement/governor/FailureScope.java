package dev.escapement.governor;

/** How far a failure reaches. */
public enum FailureScope {

    /** A failure on a target holds back every workflow on it: whatever is wrong there may be wrong for all of them. */
    TARGET,

    /** A failure holds back only the workflow that failed. The lock stays one per target. */
    WORKFLOW
}
