package dev.escapement.kubernetes.client;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** Forwards all traffic, and on request silently drops that of the connections open at that time. */
final class BlackholeProxy implements AutoCloseable {

    private final ServerSocket serverSocket;
    private final int targetPort;
    private final List<Closeable> openSockets = new CopyOnWriteArrayList<>();
    private final AtomicInteger acceptedConnections = new AtomicInteger();
    private final AtomicInteger clientReads = new AtomicInteger();
    private final AtomicInteger generation = new AtomicInteger();

    BlackholeProxy(int port) throws IOException {
        this.targetPort = port;
        this.serverSocket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        startDaemonThread(this::acceptConnections);
    }

    int port() {
        return serverSocket.getLocalPort();
    }

    int acceptedConnections() {
        return acceptedConnections.get();
    }

    /** Returns how often clients have sent data. */
    int clientReads() {
        return clientReads.get();
    }

    /** Drops all further data of the open connections, which stay open. */
    void blackholeOpenConnections() {
        generation.incrementAndGet();
    }

    private static void startDaemonThread(Runnable work) {
        Thread thread = new Thread(work, "relay");
        thread.setDaemon(true);
        thread.start();
    }

    private void acceptConnections() {
        try {
            while (true) {
                Socket client = serverSocket.accept();
                Socket server = new Socket(InetAddress.getLoopbackAddress(), targetPort);
                openSockets.addAll(List.of(client, server));
                int openedIn = generation.get();
                acceptedConnections.incrementAndGet();
                startDaemonThread(() -> forward(client, server, openedIn, clientReads));
                startDaemonThread(() -> forward(server, client, openedIn, new AtomicInteger()));
            }
        } catch (IOException closed) {
            // The proxy was closed.
        }
    }

    private void forward(Socket from, Socket to, int openedIn, AtomicInteger count) {
        byte[] buffer = new byte[8_192];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
                count.incrementAndGet();
                if (openedIn == generation.get()) {
                    out.write(buffer, 0, length);
                }
            }
            if (openedIn == generation.get()) {
                to.close();
            }
        } catch (IOException broken) {
            // The other side notices.
        }
    }

    @Override
    public void close() throws IOException {
        serverSocket.close();
        for (Closeable socket : openSockets) {
            socket.close();
        }
    }
}
