package dev.escapement.endpoints.store;

import java.time.Instant;

/** An endpoint store whose clock the test controls. */
public interface StoreFixture extends AutoCloseable {

    int MAX_RUNS_PER_ENDPOINT = 5;

    EndpointStore store();

    /** Sets the clock of the store. */
    void setNow(Instant now);

    /** Removes all endpoints and runs, and resets the clock. */
    void clear();

    @Override
    void close();
}
