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

/** Passes everything on, and can swallow what comes on the connections that there are: they stay open, in silence. */
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

    /** How many connections there were. */
    int acceptedConnections() {
        return acceptedConnections.get();
    }

    /** How often the clients have sent something. */
    int clientReads() {
        return clientReads.get();
    }

    /** From now on those who are connected hear nothing more. */
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
                int born = generation.get();
                acceptedConnections.incrementAndGet();
                startDaemonThread(() -> forward(client, server, born, clientReads));
                startDaemonThread(() -> forward(server, client, born, new AtomicInteger()));
            }
        } catch (IOException closed) {
            // It was.
        }
    }

    private void forward(Socket from, Socket to, int born, AtomicInteger count) {
        byte[] buffer = new byte[8_192];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
                count.incrementAndGet();
                if (born == generation.get()) {
                    out.write(buffer, 0, length);
                }
            }
            if (born == generation.get()) {
                to.close();
            }
        } catch (IOException broken) {
            // Whoever is left notices.
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
