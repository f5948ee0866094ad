package dev.escapement.endpoints.worker;

import dev.escapement.endpoints.model.FinishedRun;

/** Hears what a worker does, on its thread: it must not block or throw. */
public interface EndpointWorkerListener {

    /** Does nothing. */
    EndpointWorkerListener NOOP = new EndpointWorkerListener() {};

    /** So many endpoints were claimed. */
    default void onClaimed(int count) {}

    /** A run has ended and is recorded. */
    default void onRunRecorded(FinishedRun run) {}

    /** So many results or renewals came too late: somebody else may run the same occurrence again. */
    default void onLeaseLost(int count) {}

    /** What is due of a host waits because that has as many calls under way as it may have; once a second at most. */
    default void onHostThrottled(String host) {}

    /** A remediation is to be asked for. */
    default void onRemediationDue() {}
}
