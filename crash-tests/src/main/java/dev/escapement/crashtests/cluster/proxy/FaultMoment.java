package dev.escapement.crashtests.cluster.proxy;

/** Whether a fault is injected before or after a write. */
public enum FaultMoment {
    /** Before the API server receives the request. */
    BEFORE,

    /** After the API server has executed the request and before the operator receives the response. */
    AFTER
}
