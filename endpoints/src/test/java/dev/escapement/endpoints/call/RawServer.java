package dev.escapement.endpoints.call;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/** A server that says exactly what a test wants, byte by byte, and remembers who came. */
final class RawServer implements AutoCloseable {

    /** What happens on a connection, for every request on it. */
    @FunctionalInterface
    interface Script {
        /** Ends the connection by returning false. */
        boolean answer(String request, InputStream in, OutputStream out) throws IOException;
    }

    private final ServerSocket listening;
    private final Script script;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final AtomicLong connections = new AtomicLong();

    private RawServer(ServerSocket listening, Script script) {
        this.listening = listening;
        this.script = script;
    }

    static RawServer on(String address, int port, Script script) {
        try {
            return on(new ServerSocket(), address, port, script);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    static RawServer on(ServerSocket listening, String address, int port, Script script) throws IOException {
        listening.bind(new InetSocketAddress(Addresses.parse(address).orElseThrow(), port), 1024);
        RawServer server = new RawServer(listening, script);
        start(server::accept);
        return server;
    }

    static RawServer saying(String answer) {
        return on("127.0.0.1", 0, (request, in, out) -> {
            out.write(answer.getBytes(UTF_8));
            out.flush();
            return false;
        });
    }

    static String ok(String body) {
        return "HTTP/1.1 200 OK\r\nContent-Length: " + body.getBytes(UTF_8).length + "\r\n\r\n" + body;
    }

    int port() {
        return listening.getLocalPort();
    }

    String url() {
        return "http://" + listening.getInetAddress().getHostAddress() + ":" + port() + "/";
    }

    long connections() {
        return connections.get();
    }

    /** Heads and bodies, as they came. */
    List<String> requests() {
        return requests;
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work, "raw-server");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        while (true) {
            try {
                Socket socket = listening.accept();
                connections.incrementAndGet();
                open.add(socket);
                start(() -> serve(socket));
            } catch (IOException over) {
                return;
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            boolean on = true;
            while (on) {
                String request = read(socket.getInputStream());
                if (request.isEmpty()) {
                    return;
                }
                requests.add(request);
                on = script.answer(request, socket.getInputStream(), socket.getOutputStream());
            }
        } catch (IOException over) {
            // The other side left, which is its right.
        } finally {
            open.remove(socket);
        }
    }

    private static String read(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int b = in.read();
            if (b < 0) {
                return "";
            }
            head.append((char) b);
        }
        int at = head.indexOf("Content-Length: ");
        int length = at < 0 ? 0 : Integer.parseInt(head.substring(at + 16, head.indexOf("\r\n", at)));
        byte[] body = in.readNBytes(length);
        return head + new String(body, UTF_8);
    }

    @Override
    public void close() {
        try {
            listening.close();
            for (Socket socket : open) {
                socket.close();
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
