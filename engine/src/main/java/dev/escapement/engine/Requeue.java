package dev.escapement.engine;

/** When to look at an execution again. */
public enum Requeue {

    /** Something else was in between: at once. */
    IMMEDIATELY,

    /** When its run, its target or itself changes. */
    ON_CHANGE,

    /** Never: it is final, and nothing of it is left to do. */
    NEVER
}
