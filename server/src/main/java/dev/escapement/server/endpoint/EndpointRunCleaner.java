package dev.escapement.server.endpoint;

import dev.escapement.endpoints.store.EndpointStore;
import java.time.Duration;
import java.time.Instant;

/** Removes old runs of endpoints, a few at a time so that nobody waits for it. */
public final class EndpointRunCleaner {

    private static final int BATCH_SIZE = 500;
    private static final int MAX_BATCHES = 200;

    private final EndpointStore store;
    private final Duration retention;

    /** @param kept how long runs are kept */
    public EndpointRunCleaner(EndpointStore store, Duration kept) {
        this.store = store;
        this.retention = kept;
    }

    /** Removes what is too old; of very much a part, the next time goes on. */
    public void removeExpired() {
        Instant before = store.clock().instant().minus(retention);
        int removed = BATCH_SIZE;
        for (int part = 0; part < MAX_BATCHES && removed == BATCH_SIZE; part++) {
            removed = store.prune(before, BATCH_SIZE);
        }
    }
}
