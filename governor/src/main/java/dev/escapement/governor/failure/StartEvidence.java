package dev.escapement.governor.failure;

import static dev.escapement.governor.failure.StartStatus.NO;
import static dev.escapement.governor.failure.StartStatus.UNKNOWN;
import static dev.escapement.governor.failure.StartStatus.YES;

/**
 * What a reason says by itself about whether a step had started. That nothing had is certain only for whom the reason
 * is about: a container that never got its image says nothing about the sidecar beside it.
 */
enum StartEvidence {
    /** A step ran. */
    STEP_RAN,
    /** Nothing: the reason is given both before and after a start. */
    INCONCLUSIVE,
    /** The container that waits with it was not started. Others of its pod may have been. */
    CONTAINER_NOT_STARTED,
    /** The run could not go on, for nothing that a step did. What ran before is among its tasks, if all were seen. */
    RUN_LEVEL_ERROR,
    /** A runner of ours says so before it spawns or creates anything. */
    NOT_SPAWNED;

    /** Of a container that waits. */
    StartStatus forContainer() {
        return resolve(this == CONTAINER_NOT_STARTED || this == NOT_SPAWNED);
    }

    /** Of a failed task none of whose containers was seen. */
    StartStatus forTask() {
        return resolve(this == NOT_SPAWNED);
    }

    /** Of a run without a failed task, and of one that was refused. */
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
