package dev.escapement.benchmarks.clustercrash.proxy;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** One connection of an operator, and the one to the API server that serves it. */
final class Relay {

    private static final String TROUBLE =
            "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\",\"message\":\"%s\",\"code\":%d}";

    private final FaultProxy proxy;
    private final Socket client;
    private Optional<Socket> server = Optional.empty();
    private InputStream answers = InputStream.nullInputStream();
    private volatile boolean watching;

    Relay(FaultProxy proxy, Socket client) {
        this.proxy = proxy;
        this.client = client;
    }

    boolean isWatching() {
        return watching;
    }

    void run() {
        try {
            InputStream in = new BufferedInputStream(client.getInputStream());
            OutputStream out = client.getOutputStream();
            Optional<Call> call = Call.read(in);
            while (call.isPresent() && carry(call.get(), in, out)) {
                call = Call.read(in);
            }
        } catch (IOException over) {
            // One of the two is gone, or should be.
        } finally {
            close();
        }
    }

    /** Returns whether the connection can carry another call. */
    private boolean carry(Call call, InputStream in, OutputStream out) throws IOException {
        Step step = Step.of(call);
        proxy.pass(step, Moment.BEFORE, call);
        Weather.Mishap mishap = proxy.mishap();
        if (mishap == Weather.Mishap.BUSY) {
            refuse(out, "429 Too Many Requests", "Retry-After: 1\r\n", "too many requests, by the fault proxy", 429);
            return true;
        } else if (mishap == Weather.Mishap.BROKEN) {
            refuse(out, "500 Internal Server Error", "", "broken, by the fault proxy", 500);
            return true;
        }
        Socket upstream = upstream();
        upstream.getOutputStream().write(call.bytes());
        upstream.getOutputStream().flush();
        Head head = Head.read(answers).orElseThrow(() -> new IOException("no answer"));
        if (step == Step.WATCH) {
            watching = true;
            boolean more = stream(head, in, out);
            watching = false;
            return more;
        }
        return answer(call, step, head, mishap, out);
    }

    private boolean answer(Call call, Step step, Head head, Weather.Mishap mishap, OutputStream out)
            throws IOException {
        byte[] body = Bodies.whole(answers, head);
        proxy.pass(step, Moment.AFTER, call);
        if (mishap == Weather.Mishap.CUT) {
            return false;
        } else if (mishap == Weather.Mishap.UNANSWERED) {
            refuse(out, "500 Internal Server Error", "", "done and not said, by the fault proxy", 500);
            return true;
        }
        boolean bare = head.first().contains(" 204 ") || head.first().contains(" 304 ");
        Head whole =
                head.without(header -> header.startsWith("transfer-encoding:") || header.startsWith("content-length:"));
        out.write((bare ? whole : whole.with("Content-Length: " + body.length)).bytes());
        out.write(body);
        out.flush();
        return true;
    }

    /** A watch goes on until somebody ends it; one that becomes a web socket is no longer our language. */
    private boolean stream(Head head, InputStream in, OutputStream out) throws IOException {
        out.write(head.bytes());
        out.flush();
        if (head.first().contains(" 101 ")) {
            OutputStream upstream = upstream().getOutputStream();
            proxy.threads().execute(() -> {
                try {
                    Bodies.pour(in, upstream);
                } catch (IOException over) {
                    // The other direction notices as well.
                } finally {
                    close();
                }
            });
            Bodies.pour(answers, out);
            return false;
        }
        Bodies.relay(answers, head, out);
        return true;
    }

    private static void refuse(OutputStream out, String status, String headers, String message, int code)
            throws IOException {
        byte[] body = TROUBLE.formatted(message, code).getBytes(StandardCharsets.UTF_8);
        String head = "HTTP/1.1 %s\r\nContent-Type: application/json\r\n%sContent-Length: %d\r\n\r\n"
                .formatted(status, headers, body.length);
        out.write(head.getBytes(StandardCharsets.US_ASCII));
        out.write(body);
        out.flush();
    }

    private Socket upstream() throws IOException {
        if (server.isEmpty()) {
            Socket socket = proxy.connect();
            server = Optional.of(socket);
            answers = new BufferedInputStream(socket.getInputStream());
        }
        return server.get();
    }

    void close() {
        closeQuietly(client);
        server.ifPresent(Relay::closeQuietly);
    }

    private static void closeQuietly(Socket socket) {
        try {
            socket.close();
        } catch (IOException useless) {
            // It is as closed as it can be.
        }
    }
}
