package dev.escapement.crashtests.cluster.proxy;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** One connection of an operator and its connection to the API server. */
final class ProxyConnection {

    private static final String ERROR_BODY =
            "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\",\"message\":\"%s\",\"code\":%d}";

    private final FaultProxy proxy;
    private final Socket client;
    private Optional<Socket> upstreamSocket = Optional.empty();
    private InputStream upstreamInput = InputStream.nullInputStream();
    private volatile boolean watching;

    ProxyConnection(FaultProxy proxy, Socket client) {
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
            Optional<ProxiedRequest> call = ProxiedRequest.read(in);
            while (call.isPresent() && forward(call.get(), in, out)) {
                call = ProxiedRequest.read(in);
            }
        } catch (IOException closed) {
            // One of the two connections is closed, or is closed on purpose.
        } finally {
            close();
        }
    }

    /** Returns whether the connection can be used for another request. */
    private boolean forward(ProxiedRequest call, InputStream in, OutputStream out) throws IOException {
        ExecutionStep step = ExecutionStep.classify(call);
        proxy.intercept(step, FaultMoment.BEFORE, call);
        FaultRates.InjectedFault fault = proxy.drawFault();
        if (fault == FaultRates.InjectedFault.THROTTLED) {
            sendError(
                    out,
                    "429 Too Many Requests",
                    "Retry-After: 1\r\n",
                    "too many requests, injected by the fault proxy",
                    429);
            return true;
        } else if (fault == FaultRates.InjectedFault.SERVER_ERROR) {
            sendError(out, "500 Internal Server Error", "", "injected by the fault proxy", 500);
            return true;
        }
        Socket upstream = connectUpstream();
        upstream.getOutputStream().write(call.toBytes());
        upstream.getOutputStream().flush();
        HttpHead head = HttpHead.read(upstreamInput).orElseThrow(() -> new IOException("no response"));
        if (step == ExecutionStep.WATCH) {
            watching = true;
            boolean more = relayWatch(head, in, out);
            watching = false;
            return more;
        }
        return relayResponse(call, step, head, fault, out);
    }

    private boolean relayResponse(
            ProxiedRequest call, ExecutionStep step, HttpHead head, FaultRates.InjectedFault fault, OutputStream out)
            throws IOException {
        byte[] body = HttpBodyStreams.readBody(upstreamInput, head);
        proxy.intercept(step, FaultMoment.AFTER, call);
        if (fault == FaultRates.InjectedFault.CONNECTION_CUT) {
            return false;
        } else if (fault == FaultRates.InjectedFault.FALSE_ERROR) {
            sendError(out, "500 Internal Server Error", "", "executed, error injected by the fault proxy", 500);
            return true;
        }
        boolean withoutBody =
                head.startLine().contains(" 204 ") || head.startLine().contains(" 304 ");
        HttpHead whole =
                head.without(header -> header.startsWith("transfer-encoding:") || header.startsWith("content-length:"));
        out.write((withoutBody ? whole : whole.with("Content-Length: " + body.length)).toBytes());
        out.write(body);
        out.flush();
        return true;
    }

    /**
     * Forwards a watch until one side closes it; after an upgrade to a WebSocket it forwards bytes in both directions.
     */
    private boolean relayWatch(HttpHead head, InputStream in, OutputStream out) throws IOException {
        out.write(head.toBytes());
        out.flush();
        if (head.startLine().contains(" 101 ")) {
            OutputStream upstream = connectUpstream().getOutputStream();
            proxy.executor().execute(() -> {
                try {
                    HttpBodyStreams.copyUntilEnd(in, upstream);
                } catch (IOException closed) {
                    // The other direction is closed below.
                } finally {
                    close();
                }
            });
            HttpBodyStreams.copyUntilEnd(upstreamInput, out);
            return false;
        }
        HttpBodyStreams.relayBody(upstreamInput, head, out);
        return true;
    }

    private static void sendError(OutputStream out, String status, String headers, String message, int code)
            throws IOException {
        byte[] body = ERROR_BODY.formatted(message, code).getBytes(StandardCharsets.UTF_8);
        String head = "HTTP/1.1 %s\r\nContent-Type: application/json\r\n%sContent-Length: %d\r\n\r\n"
                .formatted(status, headers, body.length);
        out.write(head.getBytes(StandardCharsets.US_ASCII));
        out.write(body);
        out.flush();
    }

    private Socket connectUpstream() throws IOException {
        if (upstreamSocket.isEmpty()) {
            Socket socket = proxy.connect();
            upstreamSocket = Optional.of(socket);
            upstreamInput = new BufferedInputStream(socket.getInputStream());
        }
        return upstreamSocket.get();
    }

    void close() {
        closeQuietly(client);
        upstreamSocket.ifPresent(ProxyConnection::closeQuietly);
    }

    private static void closeQuietly(Socket socket) {
        try {
            socket.close();
        } catch (IOException alreadyClosed) {
            // Nothing else can be done.
        }
    }
}
