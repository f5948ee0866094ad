package dev.escapement.engine;

/** When to call {@link Engine#advance} again. */
public enum Requeue {
    /** A write conflicted, or another step is due. */
    IMMEDIATELY,
    /** When the execution, its run or its target changes. */
    ON_CHANGE,
    /** Not again: the execution has finished. */
    NEVER
}
