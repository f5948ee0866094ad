package dev.escapement.endpoints.worker;

import dev.escapement.endpoints.model.FinishedRun;

/** Receives events of a worker, on its thread; methods must not block or throw. */
public interface EndpointWorkerListener {

    /** Does nothing. */
    EndpointWorkerListener NOOP = new EndpointWorkerListener() {};

    /** Called after every claim, also if it found no due endpoint. */
    default void onClaimed(int count) {}

    default void onRunRecorded(FinishedRun run) {}

    /** Leases were found lost; another worker may repeat these runs. */
    default void onLeaseLost(int count) {}

    /** Due endpoints wait because their host has reached its concurrency limit; reported at most once a second. */
    default void onHostThrottled(String host) {}

    default void onRemediationDue() {}
}
