package dev.escapement.server;

import java.net.URI;

/** A server that runs until it is closed. */
public interface RunningService extends AutoCloseable {

    /** Returns the address at which this machine reaches it. */
    URI address();

    /** Returns the address of the dashboard, with a code that logs a browser in once if there is a single token. */
    URI loginAddress();

    /** Waits until it was closed or has stopped by itself, such as after the loss of leadership. */
    void awaitTermination() throws InterruptedException;

    @Override
    void close();
}
