package dev.escapement.endpoints.worker;

import dev.escapement.endpoints.store.Run;

/** Hears what a worker does, on its thread: it must not block or throw. */
public interface WorkerListener {

    /** Does nothing. */
    WorkerListener NOBODY = new WorkerListener() {};

    /** So many endpoints were claimed. */
    default void claimed(int count) {}

    /** A run has ended and is recorded. */
    default void ran(Run run) {}

    /** So many results or renewals came too late: somebody else may run the same occurrence again. */
    default void leaseLost(int count) {}

    /** What is due of a host waits because that has as many calls under way as it may have; once a second at most. */
    default void throttled(String host) {}

    /** A remediation is to be asked for. */
    default void remedyDue() {}
}
