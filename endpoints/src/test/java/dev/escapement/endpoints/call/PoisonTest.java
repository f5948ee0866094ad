package dev.escapement.endpoints.call;

import static dev.escapement.endpoints.call.Calls.answer;
import static dev.escapement.endpoints.call.Calls.get;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Poison hurts only itself: one dispatcher takes all of it, and serves a normal call after each. */
class PoisonTest {

    private static final HttpDispatcher DISPATCHER = Calls.open("127.0.0.1");

    /** What a machine keeps between two programs, and some more. */
    private static final long BUFFERS = 64L << 20;

    private final AtomicLong sent = new AtomicLong();

    @AfterAll
    static void close() {
        DISPATCHER.close();
    }

    static Stream<Poison> poisons() {
        return Poison.all();
    }

    @ParameterizedTest
    @MethodSource("poisons")
    void poisonHurtsOnlyItself(Poison poison) {
        try (RawServer it = RawServer.on("127.0.0.1", 0, (request, in, out) -> serve(poison, request, in, out))) {
            Duration timeout = poison.slow() ? Calls.SHORT : Calls.LONG;
            Answer answer = answer(DISPATCHER, get(it.url(), timeout));
            assertThat(answer.failure()).as(answer.error()).isEqualTo(poison.expected());
            assertThat(answer.error().isEmpty()).isEqualTo(poison.expected().isEmpty());
            assertThat(fit(answer.excerpt() + answer.error())).isTrue();
            assertThat(answer.excerpt()).hasSizeLessThanOrEqualTo(Calls.LIMITS.excerptChars());
            assertThat(answer.bytes()).isLessThan(2L * Calls.LIMITS.responseBytes());
            assertThat(answer(DISPATCHER, get(it.url() + "normal")).excerpt()).isEqualTo("normal");
        }
        assertThat(sent.get()).isLessThan(BUFFERS);
    }

    private boolean serve(Poison poison, String request, InputStream in, OutputStream out) throws IOException {
        if (request.startsWith("GET /normal")) {
            out.write(RawServer.ok("normal").getBytes(UTF_8));
            return true;
        }
        send(out, poison.firstBytes());
        if (poison.then().isEmpty()) {
            return poison.slow() && in.read() >= 0;
        }
        if (poison.slow()) {
            return drip(poison, out);
        }
        // Far more than anybody should take, but a test must end even if somebody does.
        while (sent.get() < 2 * BUFFERS) {
            send(out, poison.thenBytes());
        }
        return false;
    }

    /** Until the other side hangs up. */
    private boolean drip(Poison poison, OutputStream out) throws IOException {
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

    private static boolean fit(String text) {
        return text.codePoints().allMatch(Texts::isFit) && text.indexOf(0) < 0;
    }
}
