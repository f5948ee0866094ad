package dev.escapement.governor.model;

/** One detail left out each: the model must find the way to break it. */
enum ProtocolMutant {
    NONE("the protocol as it is"),
    START_BEFORE_COMMIT("the run is created already started, then the ledger is taken"),
    START_BEFORE_RECORD("the run is started before the status says Running"),
    RELEASE_BEFORE_STATUS("the ledger is freed before the status is final"),
    NO_VERSION_ON_START("a run is started by name, whatever its version"),
    NO_VERSION_ON_SKIP("Skipped is written without a version"),
    NO_SECOND_LOOK("admits on a stale view of the execution, without reading it again after the ledger"),
    LIST_THEN_CREATE("the lock is a look at the other executions, then a run"),
    COUNTER_ON_THE_EXECUTION("each execution counts its own failures, from zero"),
    SKIPPED_COUNTS_AS_PREVIOUS("a skipped execution becomes the previous one, which did not fail"),
    LOST_ON_A_STALE_VIEW("a run that an old view does not show counts as lost"),
    FORGET_WHAT_WAS_LOST("a deletion that is reported again resets what was recorded after it");

    final String description;

    ProtocolMutant(String words) {
        this.description = words;
    }
}
