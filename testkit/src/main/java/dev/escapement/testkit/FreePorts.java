package dev.escapement.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Finds free ports. They are below the range for outgoing connections: otherwise a connection could get a port between
 * its choice here and its use.
 */
public final class FreePorts {

    private static final int FIRST_PORT = 20_000;
    private static final int LAST_PORT = 32_000;
    private static final int MAX_TRIES = 1_000;

    private FreePorts() {}

    public static int allocateOne() {
        return allocate(1).get(0);
    }

    /** Returns so many different ports. All are bound until the last one is found, so that none is returned twice. */
    public static List<Integer> allocate(int count) {
        List<ServerSocket> held = new ArrayList<>();
        try {
            for (int tries = 0; held.size() < count && tries < MAX_TRIES; tries++) {
                tryBind(ThreadLocalRandom.current().nextInt(FIRST_PORT, LAST_PORT))
                        .ifPresent(held::add);
            }
            if (held.size() < count) {
                throw new IllegalStateException(
                        "no free ports between %d and %d on this machine".formatted(FIRST_PORT, LAST_PORT));
            }
            return held.stream().map(ServerSocket::getLocalPort).toList();
        } finally {
            held.forEach(FreePorts::release);
        }
    }

    private static Optional<ServerSocket> tryBind(int port) {
        try {
            return Optional.of(new ServerSocket(port, 1, InetAddress.getLoopbackAddress()));
        } catch (IOException taken) {
            return Optional.empty();
        }
    }

    private static void release(ServerSocket socket) {
        try {
            socket.close();
        } catch (IOException useless) {
            // Nothing else can be done.
        }
    }
}
