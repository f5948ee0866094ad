package dev.escapement.notifications.channel;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import javax.net.SocketFactory;

/**
 * Creates sockets that connect to one address only, and closes them at a deadline: whatever reads or writes then fails.
 * A library that has a timeout for each step is limited in total this way.
 */
final class DeadlineSockets extends SocketFactory {

    private final InetSocketAddress receiver;
    private final List<Socket> open = new CopyOnWriteArrayList<>();
    private volatile boolean expired;

    private DeadlineSockets(InetSocketAddress receiver) {
        this.receiver = receiver;
    }

    /** Starts the time. */
    static DeadlineSockets start(InetAddress address, int port, Duration timeout) {
        DeadlineSockets sockets = new DeadlineSockets(new InetSocketAddress(address, port));
        CompletableFuture.delayedExecutor(timeout.toNanos(), TimeUnit.NANOSECONDS)
                .execute(sockets::expire);
        return sockets;
    }

    /** Returns whether the deadline has passed. */
    boolean isExpired() {
        return expired;
    }

    private void expire() {
        expired = true;
        open.forEach(DeadlineSockets::close);
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException ignored) {
            // Nothing can be read from it or written to it any more.
        }
    }

    @Override
    public Socket createSocket() {
        Socket socket = new Socket() {
            @Override
            public void connect(SocketAddress named, int timeout) throws IOException {
                // Not to the given address: it was looked up a second time, and not checked.
                super.connect(receiver, timeout);
            }
        };
        open.add(socket);
        if (expired) {
            // The deadline may have passed before it was added.
            close(socket);
        }
        return socket;
    }

    private Socket connected() throws IOException {
        Socket socket = createSocket();
        socket.connect(receiver, 0);
        return socket;
    }

    @Override
    public Socket createSocket(String host, int port) throws IOException {
        return connected();
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress localHost, int localPort) throws IOException {
        return connected();
    }

    @Override
    public Socket createSocket(InetAddress host, int port) throws IOException {
        return connected();
    }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress localHost, int localPort) throws IOException {
        return connected();
    }
}
