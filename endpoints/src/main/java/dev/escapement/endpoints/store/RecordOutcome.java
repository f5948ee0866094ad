package dev.escapement.endpoints.store;

/** The outcome of recording a result. */
public enum RecordOutcome {
    RECORDED,
    /** A user changed the endpoint during the run. Nothing was written: replan from the changed endpoint and retry. */
    ENDPOINT_CHANGED,
    /** The lease was lost or the endpoint does not exist. Nothing was written; a retry cannot succeed. */
    LEASE_LOST
}
