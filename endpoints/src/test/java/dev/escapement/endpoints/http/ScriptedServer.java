package dev.escapement.endpoints.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.escapement.endpoints.guard.AddressParser;
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

/** A server that sends exactly the given bytes and records connections and requests. */
public final class ScriptedServer implements AutoCloseable {

    /** Handles each request of a connection. */
    @FunctionalInterface
    public interface Script {
        /** Returns false to close the connection. */
        boolean answer(String request, InputStream in, OutputStream out) throws IOException;
    }

    private final ServerSocket serverSocket;
    private final Script script;
    private final Set<Socket> openSockets = ConcurrentHashMap.newKeySet();
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final AtomicLong connections = new AtomicLong();

    private ScriptedServer(ServerSocket listening, Script script) {
        this.serverSocket = listening;
        this.script = script;
    }

    public static ScriptedServer listen(String address, int port, Script script) {
        try {
            return listen(new ServerSocket(), address, port, script);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    static ScriptedServer listen(ServerSocket listening, String address, int port, Script script) throws IOException {
        listening.bind(new InetSocketAddress(AddressParser.parse(address).orElseThrow(), port), 1024);
        ScriptedServer server = new ScriptedServer(listening, script);
        startThread(server::accept);
        return server;
    }

    public static ScriptedServer respondingWith(String answer) {
        return listen("127.0.0.1", 0, (request, in, out) -> {
            out.write(answer.getBytes(UTF_8));
            out.flush();
            return false;
        });
    }

    public static String okResponse(String body) {
        return "HTTP/1.1 200 OK\r\nContent-Length: " + body.getBytes(UTF_8).length + "\r\n\r\n" + body;
    }

    public int port() {
        return serverSocket.getLocalPort();
    }

    String url() {
        return "http://" + serverSocket.getInetAddress().getHostAddress() + ":" + port() + "/";
    }

    public long connections() {
        return connections.get();
    }

    /** Received requests: heads with bodies. */
    public List<String> requests() {
        return requests;
    }

    private static void startThread(Runnable work) {
        Thread thread = new Thread(work, "scripted-server");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        while (true) {
            try {
                Socket socket = serverSocket.accept();
                connections.incrementAndGet();
                openSockets.add(socket);
                startThread(() -> serve(socket));
            } catch (IOException over) {
                return;
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            boolean on = true;
            while (on) {
                String request = readRequest(socket.getInputStream());
                if (request.isEmpty()) {
                    return;
                }
                requests.add(request);
                on = script.answer(request, socket.getInputStream(), socket.getOutputStream());
            }
        } catch (IOException over) {
            // The client closed the connection.
        } finally {
            openSockets.remove(socket);
        }
    }

    private static String readRequest(InputStream in) throws IOException {
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
            serverSocket.close();
            for (Socket socket : openSockets) {
                socket.close();
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
