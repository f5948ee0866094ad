package dev.escapement.governor.failure;

/** How a run that did not succeed ended. */
public enum RunEnd {
    /** The execution's specification was rejected before anything was created. */
    INVALID,
    /** The executor refused to create or to start the run. */
    REFUSED,
    /** The executor reports that it failed. */
    FAILED,
    /** It exceeded its timeout. */
    TIMED_OUT,
    /** It was stopped on request. */
    CANCELLED,
    /** It no longer exists, and the engine did not remove it. */
    DELETED,
    /** Its end is unknown, because its machine, its record or its observer is gone. */
    LOST
}
