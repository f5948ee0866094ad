package dev.escapement.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;

/** Ports that nobody listens on. */
final class FreePorts {

    private FreePorts() {}

    /** So many different ones. All are held until the last is found, so that none comes twice. */
    static List<Integer> take(int count) {
        List<ServerSocket> held = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                held.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
            }
            return held.stream().map(ServerSocket::getLocalPort).toList();
        } catch (IOException none) {
            throw new UncheckedIOException("no free port on this machine", none);
        } finally {
            held.forEach(FreePorts::release);
        }
    }

    private static void release(ServerSocket socket) {
        try {
            socket.close();
        } catch (IOException useless) {
            // The system takes it back in any case.
        }
    }
}
