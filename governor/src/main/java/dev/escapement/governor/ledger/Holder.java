package dev.escapement.governor.ledger;

import static java.util.Objects.requireNonNull;

import java.time.Instant;

/**
 * Who holds a target.
 *
 * @param execution the one execution that may run
 * @param workflow what it runs
 * @param runUid the uid of the very run that was prepared; no other run of this execution may be started. Empty if no
 *     run could be prepared: the execution then holds the target only until its failure is recorded
 * @param runName where that run can be found; empty if there is none
 * @param since when the ledger was taken
 */
public record Holder(ExecutionRef execution, String workflow, String runUid, String runName, Instant since) {

    /** None of them is null. */
    public Holder {
        requireNonNull(execution, "execution is null");
        requireNonNull(workflow, "workflow is null");
        requireNonNull(runUid, "run is null");
        requireNonNull(runName, "runName is null");
        requireNonNull(since, "since is null");
    }
}
