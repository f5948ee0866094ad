package dev.escapement.endpoints.store;

import java.time.Instant;

/** A store of its own for one test, whose time the test decides. */
public interface StoreFixture extends AutoCloseable {

    /** Of each endpoint so many runs are kept. */
    int MAX_RUNS_PER_ENDPOINT = 5;

    /** The store. */
    EndpointStore store();

    /** Sets the clock of the store. */
    void setNow(Instant now);

    @Override
    void close();
}
