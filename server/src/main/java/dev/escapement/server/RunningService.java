package dev.escapement.server;

import java.net.URI;

/** Something that answers and works until it is closed. */
public interface RunningService extends AutoCloseable {

    /** Where it can be reached from this machine. */
    URI address();

    /** Waits until it was closed, or must not go on. */
    void awaitTermination() throws InterruptedException;

    @Override
    void close();
}
