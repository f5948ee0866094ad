package dev.escapement.notifications.channel;

import java.io.IOException;
import java.net.InetAddress;

/** Finds the address of a receiver and refuses those that may not be called. Thread-safe. */
@FunctionalInterface
public interface AddressGuard {

    /**
     * Returns the address to connect to. Takes a bounded time.
     *
     * @throws IOException if the host is unknown or may not be called; its message is shown to people
     */
    InetAddress resolve(String host, int port) throws IOException;
}
