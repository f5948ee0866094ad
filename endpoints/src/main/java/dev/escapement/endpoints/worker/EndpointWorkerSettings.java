package dev.escapement.endpoints.worker;

import java.time.Duration;

/**
 * Settings of a worker.
 *
 * @param workerName shown to users and in the history
 * @param concurrency maximum number of concurrent calls
 * @param concurrencyPerHost maximum number of concurrent calls to one host
 * @param leaseMargin how long a lease lasts beyond the timeout of the call
 * @param pollInterval maximum time between polls; finds endpoints of workers that died
 */
public record EndpointWorkerSettings(
        String workerName, int concurrency, int concurrencyPerHost, Duration leaseMargin, Duration pollInterval) {

    /** Checks the bounds. */
    public EndpointWorkerSettings {
        if (concurrency < 1 || concurrencyPerHost < 1) {
            throw new IllegalArgumentException("concurrency is %d and concurrencyPerHost is %d: both must be at least 1"
                    .formatted(concurrency, concurrencyPerHost));
        }
        if (leaseMargin.compareTo(Duration.ofMillis(1)) < 0 || pollInterval.compareTo(Duration.ofMillis(1)) < 0) {
            throw new IllegalArgumentException("leaseMargin is %s and pollInterval is %s: both must be at least 1 ms"
                    .formatted(leaseMargin, pollInterval));
        }
    }
}
