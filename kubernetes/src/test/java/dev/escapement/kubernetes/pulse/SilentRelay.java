package dev.escapement.kubernetes.pulse;

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
final class SilentRelay implements AutoCloseable {

    private final ServerSocket door;
    private final int port;
    private final List<Closeable> open = new CopyOnWriteArrayList<>();
    private final AtomicInteger accepted = new AtomicInteger();
    private final AtomicInteger sent = new AtomicInteger();
    private final AtomicInteger generation = new AtomicInteger();

    SilentRelay(int port) throws IOException {
        this.port = port;
        this.door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        thread(this::accept);
    }

    int port() {
        return door.getLocalPort();
    }

    /** How many connections there were. */
    int accepted() {
        return accepted.get();
    }

    /** How often the clients have sent something. */
    int sent() {
        return sent.get();
    }

    /** From now on those who are connected hear nothing more. */
    void swallow() {
        generation.incrementAndGet();
    }

    private static void thread(Runnable work) {
        Thread thread = new Thread(work, "relay");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = door.accept();
                Socket server = new Socket(InetAddress.getLoopbackAddress(), port);
                open.addAll(List.of(client, server));
                int born = generation.get();
                accepted.incrementAndGet();
                thread(() -> pass(client, server, born, sent));
                thread(() -> pass(server, client, born, new AtomicInteger()));
            }
        } catch (IOException closed) {
            // It was.
        }
    }

    private void pass(Socket from, Socket to, int born, AtomicInteger count) {
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
        door.close();
        for (Closeable socket : open) {
            socket.close();
        }
    }
}
