package dev.escapement.endpoints.worker;

import java.time.Duration;

/**
 * How a worker works.
 *
 * @param worker its name, for people and for the history
 * @param concurrency calls at once, at most
 * @param perHost calls of one host at once, at most
 * @param margin a lease lasts so much longer than the timeout of the call
 * @param lookEvery how often to look for what is due even if nothing is known to be: another worker may have died
 */
public record WorkerSettings(String worker, int concurrency, int perHost, Duration margin, Duration lookEvery) {

    /** Checks the bounds. */
    public WorkerSettings {
        if (concurrency < 1 || perHost < 1) {
            throw new IllegalArgumentException(
                    "concurrency is %d and perHost is %d: both must be at least 1".formatted(concurrency, perHost));
        }
        if (margin.compareTo(Duration.ofMillis(1)) < 0 || lookEvery.compareTo(Duration.ofMillis(1)) < 0) {
            throw new IllegalArgumentException("margin is %s and lookEvery is %s: both must be at least a millisecond"
                    .formatted(margin, lookEvery));
        }
    }
}
