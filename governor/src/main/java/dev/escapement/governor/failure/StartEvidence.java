package dev.escapement.governor.failure;

import static dev.escapement.governor.failure.StartStatus.NO;
import static dev.escapement.governor.failure.StartStatus.UNKNOWN;
import static dev.escapement.governor.failure.StartStatus.YES;

/**
 * What a reason alone proves about whether a step had started. "Not started" holds only for the object that has the
 * reason: a container whose image could not be pulled proves nothing about the sidecar beside it.
 */
public enum StartEvidence {
    /** A step ran. */
    STEP_RAN,
    /** Nothing: the reason occurs before a start as well as after it. */
    INCONCLUSIVE,
    /** The container that waits with this reason was not started. Others of its pod may have been. */
    CONTAINER_NOT_STARTED,
    /**
     * The run failed for a cause outside its steps. Whatever ran before is listed in its tasks if they are complete.
     */
    RUN_LEVEL_ERROR,
    /** A runner of this project reports it before it spawns or creates anything. */
    NOT_SPAWNED;

    /** Evaluates the reason of a waiting container. */
    StartStatus forContainer() {
        return resolve(this == CONTAINER_NOT_STARTED || this == NOT_SPAWNED);
    }

    /** Evaluates the reason of a failed task that lists no steps of the workflow. */
    StartStatus forTask() {
        return resolve(this == NOT_SPAWNED);
    }

    /** Evaluates the reason of a run that has no failed task, or that was refused. */
    StartStatus forRun() {
        return resolve(this == RUN_LEVEL_ERROR || this == NOT_SPAWNED);
    }

    private StartStatus resolve(boolean certain) {
        if (this == STEP_RAN) {
            return YES;
        }
        return certain ? NO : UNKNOWN;
    }
}
