package dev.escapement.governor.model;

/** Variants of the protocol without one of its details: the model must find a violation of each. */
enum ProtocolMutant {
    NONE("the protocol as it is"),
    START_BEFORE_COMMIT("the run is created already started, then the target is acquired"),
    START_BEFORE_RECORD("the run is started before the status is Running"),
    RELEASE_BEFORE_STATUS("the target is released before the status is final"),
    NO_VERSION_ON_START("a run is started by name, with any version"),
    NO_VERSION_ON_SKIP("Skipped is written without a version"),
    NO_SECOND_LOOK("admits on a stale read of the execution, without reading it again after the ledger"),
    LIST_THEN_CREATE("the lock is a list of the other executions, then a run"),
    COUNTER_ON_THE_EXECUTION("each execution counts its own failures, from zero"),
    SKIPPED_COUNTS_AS_PREVIOUS("a skipped execution becomes the previous one, which did not fail"),
    LOST_ON_A_STALE_VIEW("a run that a stale read does not show counts as lost"),
    FORGET_WHAT_WAS_LOST("a deletion that is reported again resets what was recorded after it");

    final String description;

    ProtocolMutant(String description) {
        this.description = description;
    }
}
