package dev.escapement.endpoints.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * A server that sends a {@link MaliciousResponse}, and at {@code /normal} a valid one.
 *
 * @param bytesSent incremented by the bytes sent
 */
record MaliciousServer(MaliciousResponse response, AtomicLong bytesSent) {

    /** More than the socket buffers of the machine hold. */
    static final long MAX_BUFFERED_BYTES = 64L << 20;

    static ScriptedServer start(MaliciousResponse response, AtomicLong sent) {
        return ScriptedServer.listen("127.0.0.1", 0, new MaliciousServer(response, sent)::serve);
    }

    private boolean serve(String request, InputStream in, OutputStream out) throws IOException {
        if (request.startsWith("GET /normal")) {
            out.write(ScriptedServer.okResponse("normal").getBytes(UTF_8));
            return true;
        }
        send(out, response.firstBytes());
        if (response.repeated().isEmpty()) {
            return response.slow() && in.read() >= 0;
        }
        if (response.slow()) {
            return drip(out);
        }
        // Far more than a client should read, but limited so that the test ends if it does.
        while (bytesSent.get() < 2 * MAX_BUFFERED_BYTES) {
            send(out, response.repeatedBytes());
        }
        return false;
    }

    /** Sends until the client closes the connection. */
    private boolean drip(OutputStream out) throws IOException {
        while (true) {
            LockSupport.parkNanos(10_000_000);
            send(out, response.repeatedBytes());
        }
    }

    private void send(OutputStream out, byte[] bytes) throws IOException {
        out.write(bytes);
        out.flush();
        bytesSent.addAndGet(bytes.length);
    }
}
