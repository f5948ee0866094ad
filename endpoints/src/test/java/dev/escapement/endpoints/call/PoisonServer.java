package dev.escapement.endpoints.call;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * A server that gives poison, and at {@code /normal} a normal answer.
 *
 * @param sent counts the bytes
 */
record PoisonServer(Poison poison, AtomicLong sent) {

    /** What a machine keeps between two programs, and some more. */
    static final long BUFFERS = 64L << 20;

    static RawServer of(Poison poison, AtomicLong sent) {
        return RawServer.on("127.0.0.1", 0, new PoisonServer(poison, sent)::serve);
    }

    private boolean serve(String request, InputStream in, OutputStream out) throws IOException {
        if (request.startsWith("GET /normal")) {
            out.write(RawServer.ok("normal").getBytes(UTF_8));
            return true;
        }
        send(out, poison.firstBytes());
        if (poison.then().isEmpty()) {
            return poison.slow() && in.read() >= 0;
        }
        if (poison.slow()) {
            return drip(out);
        }
        // Far more than anybody should take, but a test must end even if somebody does.
        while (sent.get() < 2 * BUFFERS) {
            send(out, poison.thenBytes());
        }
        return false;
    }

    /** Until the other side hangs up. */
    private boolean drip(OutputStream out) throws IOException {
        while (true) {
            LockSupport.parkNanos(10_000_000);
            send(out, poison.thenBytes());
        }
    }

    private void send(OutputStream out, byte[] bytes) throws IOException {
        out.write(bytes);
        out.flush();
        sent.addAndGet(bytes.length);
    }
}
