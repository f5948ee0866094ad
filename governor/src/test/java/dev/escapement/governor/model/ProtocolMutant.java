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
    FORGET_WHAT_WAS_LOST("a deletion that is reported again resets what was recorded after it"),
    QUEUE_IGNORED("what waits is admitted without looking at what waits longer"),
    DEADLINE_IGNORED("what waits is admitted although its time to wait is over"),
    NO_CHECK_OF_RUNS("an absent entry counts as a free target"),
    NO_CHECK_WHEN_RESUMING("runs are looked for only by the controller that has acquired the target"),
    CHECK_BEFORE_ACQUISITION("runs are looked for before the target is acquired, not after"),
    PENDING_OTHERS_IGNORED("the suspended run of a pending execution is left to its controller"),
    NO_FINALIZER("a user can delete an entry that is held or has failures");

    final String description;

    ProtocolMutant(String description) {
        this.description = description;
    }

    boolean concernsWaiting() {
        return this == QUEUE_IGNORED || this == DEADLINE_IGNORED;
    }
}
