package dev.escapement.server;

import java.net.URI;

/** A server that runs until it is closed. */
public interface RunningService extends AutoCloseable {

    /** Returns the address at which this machine reaches it. */
    URI address();

    /** Waits until it was closed or has stopped by itself, such as after the loss of leadership. */
    void awaitTermination() throws InterruptedException;

    @Override
    void close();
}
