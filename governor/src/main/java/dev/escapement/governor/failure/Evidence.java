package dev.escapement.governor.failure;

import static dev.escapement.governor.failure.Started.NO;
import static dev.escapement.governor.failure.Started.UNKNOWN;
import static dev.escapement.governor.failure.Started.YES;

/**
 * What a reason says by itself about whether a step had started. That nothing had is certain only for whom the reason
 * is about: a container that never got its image says nothing about the sidecar beside it.
 */
enum Evidence {
    /** A step ran. */
    RAN,
    /** Nothing: the reason is given both before and after a start. */
    OPEN,
    /** The container that waits with it was not started. Others of its pod may have been. */
    CONTAINER_WAITS,
    /** The run could not go on, for nothing that a step did. What ran before is among its tasks, if all were seen. */
    RUN_STUCK,
    /** A runner of ours says so before it spawns or creates anything. */
    NOT_SPAWNED;

    /** Of a container that waits. */
    Started ofContainer() {
        return noIf(this == CONTAINER_WAITS || this == NOT_SPAWNED);
    }

    /** Of a failed task none of whose containers was seen. */
    Started ofTask() {
        return noIf(this == NOT_SPAWNED);
    }

    /** Of a run without a failed task, and of one that was refused. */
    Started ofRun() {
        return noIf(this == RUN_STUCK || this == NOT_SPAWNED);
    }

    private Started noIf(boolean certain) {
        if (this == RAN) {
            return YES;
        }
        return certain ? NO : UNKNOWN;
    }
}
