package dev.escapement.governor.failure;

/** How a run that did not succeed came to its end. */
public enum RunEnd {
    /** The execution's specification was refused before anything was created. */
    INVALID,
    /** The executor refused to create the run or to let it go. */
    REFUSED,
    /** The executor ended it as failed. */
    FAILED,
    /** It took longer than it may. */
    TIMED_OUT,
    /** It was asked to stop, and did. */
    CANCELLED,
    /** It is gone, and the engine did not remove it. */
    DELETED,
    /** Nobody can say how it ended: its machine, its record or its observer is gone. */
    LOST
}
