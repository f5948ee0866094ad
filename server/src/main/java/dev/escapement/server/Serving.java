package dev.escapement.server;

import java.net.URI;

/** Something that answers and works until it is closed. */
public interface Serving extends AutoCloseable {

    /** Where it can be reached from this machine. */
    URI address();

    /** Waits until it was closed, or must not go on. */
    void awaitEnd() throws InterruptedException;

    @Override
    void close();
}
