package dev.escapement.endpoints.worker;

import java.time.Duration;

/**
 * How a worker works.
 *
 * @param workerName its name, for people and for the history
 * @param concurrency calls at once, at most
 * @param concurrencyPerHost calls of one host at once, at most
 * @param leaseMargin a lease lasts so much longer than the timeout of the call
 * @param pollInterval how often to look for what is due even if nothing is known to be: another worker may have died
 */
public record EndpointWorkerSettings(
        String workerName, int concurrency, int concurrencyPerHost, Duration leaseMargin, Duration pollInterval) {

    /** Checks the bounds. */
    public EndpointWorkerSettings {
        if (concurrency < 1 || concurrencyPerHost < 1) {
            throw new IllegalArgumentException("concurrency is %d and perHost is %d: both must be at least 1"
                    .formatted(concurrency, concurrencyPerHost));
        }
        if (leaseMargin.compareTo(Duration.ofMillis(1)) < 0 || pollInterval.compareTo(Duration.ofMillis(1)) < 0) {
            throw new IllegalArgumentException("margin is %s and lookEvery is %s: both must be at least a millisecond"
                    .formatted(leaseMargin, pollInterval));
        }
    }
}
