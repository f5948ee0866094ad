package dev.escapement.server.worker;

import dev.escapement.endpoints.store.EndpointStore;
import java.time.Duration;
import java.time.Instant;

/** Removes old runs of endpoints, a few at a time so that nobody waits for it. */
public final class RunSweep {

    private static final int PART = 500;
    private static final int PARTS = 200;

    private final EndpointStore store;
    private final Duration kept;

    /** @param kept how long runs are kept */
    public RunSweep(EndpointStore store, Duration kept) {
        this.store = store;
        this.kept = kept;
    }

    /** Removes what is too old; of very much a part, the next time goes on. */
    public void remove() {
        Instant before = store.clock().instant().minus(kept);
        int removed = PART;
        for (int part = 0; part < PARTS && removed == PART; part++) {
            removed = store.prune(before, PART);
        }
    }
}
