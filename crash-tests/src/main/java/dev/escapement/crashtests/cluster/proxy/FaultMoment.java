package dev.escapement.crashtests.cluster.proxy;

/** On which side of a write something happens. */
public enum FaultMoment {
    /** The API server has not heard of it. */
    BEFORE,

    /** The API server has done it, and whoever asked for it does not know. */
    AFTER
}
