package dev.escapement.endpoints.store;

/** What became of a result. */
public enum RecordOutcome {
    /** It is recorded. */
    RECORDED,
    /** People have changed the endpoint meanwhile: plan again from what they say now. Nothing was written. */
    ENDPOINT_CHANGED,
    /** The lease is not held any more, or the endpoint is gone. Nothing was written, and nothing will be. */
    LEASE_LOST
}
