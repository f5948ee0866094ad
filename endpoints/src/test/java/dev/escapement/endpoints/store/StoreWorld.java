package dev.escapement.endpoints.store;

import java.time.Instant;

/** A store of its own for one test, whose time the test decides. */
public interface StoreWorld extends AutoCloseable {

    /** Of each endpoint so many runs are kept. */
    int KEPT = 5;

    /** The store. */
    EndpointStore store();

    /** Sets the clock of the store. */
    void setNow(Instant now);

    @Override
    void close();
}
