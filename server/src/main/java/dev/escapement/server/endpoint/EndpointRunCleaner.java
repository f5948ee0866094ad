package dev.escapement.server.endpoint;

import dev.escapement.endpoints.store.EndpointStore;
import java.time.Duration;
import java.time.Instant;

/** Removes old runs of endpoints in small batches, so that other writers do not wait long. */
public record EndpointRunCleaner(EndpointStore store, Duration retention) {

    private static final int BATCH_SIZE = 500;
    private static final int MAX_BATCHES = 200;

    /** Removes runs older than the retention, at most {@link #MAX_BATCHES} batches per call. */
    public void removeExpired() {
        Instant before = store.clock().instant().minus(retention);
        int removed = BATCH_SIZE;
        for (int batch = 0; batch < MAX_BATCHES && removed == BATCH_SIZE; batch++) {
            removed = store.prune(before, BATCH_SIZE);
        }
    }
}
