package dev.escapement.server.notification;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.IntFunction;

/** A receiver that sends exactly the given bytes, then closes the connection; an empty answer keeps it open. */
public final class RawReceiver implements AutoCloseable {

    private final ServerSocket server;
    private final IntFunction<String> answers;
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final List<Socket> open = new CopyOnWriteArrayList<>();

    /** @param answers by the number of the request, from 1 */
    public RawReceiver(IntFunction<String> answers) {
        this.answers = answers;
        try {
            this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        Thread thread = new Thread(this::accept, "receiver");
        thread.setDaemon(true);
        thread.start();
    }

    public static String answer(int status, String headers) {
        return "HTTP/1.1 " + status + " x\r\n" + headers + "Content-Length: 2\r\nConnection: close\r\n\r\nok";
    }

    public String url() {
        return "http://127.0.0.1:" + server.getLocalPort() + "/hook/s3cr3t-path";
    }

    /** Heads with bodies, in the order of their arrival. */
    public List<String> requests() {
        return requests;
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = server.accept();
                open.add(socket);
                requests.add(readRequest(socket.getInputStream()));
                String answer = answers.apply(requests.size());
                if (!answer.isEmpty()) {
                    socket.getOutputStream().write(answer.getBytes(UTF_8));
                    socket.close();
                }
            }
        } catch (IOException closed) {
            // The test is over.
        }
    }

    private static String readRequest(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            if (next < 0) {
                return head.toString();
            }
            head.append((char) next);
        }
        int at = head.indexOf("Content-Length: ");
        int length = at < 0 ? 0 : Integer.parseInt(head.substring(at + 16, head.indexOf("\r\n", at)));
        return head + new String(in.readNBytes(length), UTF_8);
    }

    @Override
    public void close() {
        disconnect();
    }

    /** Closes all connections and accepts no more. */
    void disconnect() {
        try {
            server.close();
            for (Socket socket : open) {
                socket.close();
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
