package dev.escapement.endpoints.call;

import static dev.escapement.endpoints.call.Calls.SHORT;
import static dev.escapement.endpoints.call.Calls.answer;
import static dev.escapement.endpoints.call.Calls.get;
import static dev.escapement.endpoints.call.Calls.start;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.endpoints.call.Answer.Failure;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** A call ends when its time is over, whatever it is doing then. */
class TimeoutTest {

    /** Accepts by its backlog only: nobody ever reads or writes. */
    private static ServerSocket deaf() throws IOException {
        return new ServerSocket(0, 64, InetAddress.getLoopbackAddress());
    }

    private static final Duration LONG_ENOUGH_FOR_A_PART = Duration.ofMillis(2_500);

    private static void assertTimeout(Answer answer) {
        assertTimeout(answer, SHORT);
    }

    private static void assertTimeout(Answer answer, Duration timeout) {
        assertThat(answer.failure()).as(answer.error()).contains(Failure.TIMEOUT);
        assertThat(answer.error()).contains(timeout.toMillis() + " ms");
    }

    @Test
    void whileTheNameIsLookedUp() {
        CountDownLatch over = new CountDownLatch(1);
        Resolver slow = name -> {
            try {
                over.await();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
            return Calls.addresses("127.0.0.1");
        };
        try (HttpDispatcher dispatcher = Calls.open("127.0.0.1", slow)) {
            for (int i = 0; i < 5; i++) {
                assertTimeout(answer(dispatcher, get("http://slow.test/", SHORT)));
            }
            over.countDown();
        }
    }

    @Test
    void aNameThatIsSlowDoesNotHoldUpOthers() {
        CountDownLatch over = new CountDownLatch(1);
        Resolver resolver = name -> {
            try {
                if (name.startsWith("slow")) {
                    over.await();
                }
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
            return Calls.addresses("127.0.0.1");
        };
        try (HttpDispatcher dispatcher = Calls.open("127.0.0.1", resolver);
                RawServer server = RawServer.saying(RawServer.ok("fast"))) {
            List<CompletableFuture<Answer>> slow = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                slow.add(start(dispatcher, get("http://slow.test/" + i)));
            }
            assertThat(answer(dispatcher, get("http://fast.test:" + server.port() + "/"))
                            .excerpt())
                    .isEqualTo("fast");
            assertThat(slow).noneMatch(CompletableFuture::isDone);
            over.countDown();
        }
    }

    @Test
    void whileTheConnectionIsSecured() throws IOException {
        try (ServerSocket deaf = deaf();
                HttpDispatcher dispatcher = Calls.open("127.0.0.1")) {
            assertTimeout(answer(dispatcher, get("https://127.0.0.1:" + deaf.getLocalPort() + "/", SHORT)));
        }
    }

    @Test
    void whileTheConnectionIsMade() throws IOException {
        try (ServerSocket full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                HttpDispatcher dispatcher = Calls.open("127.0.0.1")) {
            List<Socket> fillers = new ArrayList<>();
            try {
                // The queue of the machine takes a few more than it was told.
                for (int i = 0; i < 8; i++) {
                    Socket filler = new Socket();
                    fillers.add(filler);
                    filler.connect(full.getLocalSocketAddress(), 100);
                }
            } catch (IOException queueIsFull) {
                assertThat(fillers).isNotEmpty();
            }
            assertTimeout(answer(dispatcher, get("http://127.0.0.1:" + full.getLocalPort() + "/", SHORT)));
            for (Socket filler : fillers) {
                filler.close();
            }
        }
    }

    @Test
    void whileTheBodyIsSent() throws IOException {
        try (ServerSocket deaf = deaf();
                HttpDispatcher dispatcher = Calls.open("127.0.0.1")) {
            Call large = new Call(
                    "http://127.0.0.1:" + deaf.getLocalPort() + "/",
                    Call.Method.POST,
                    Map.of(),
                    "x".repeat(32 << 20),
                    SHORT,
                    "key",
                    Optional.empty());
            assertTimeout(answer(dispatcher, large));
        }
    }

    @Test
    void whileItWaitsForAConnection() {
        CompletableFuture<Boolean> arrived = new CompletableFuture<>();
        try (HttpDispatcher dispatcher = HttpDispatcher.open(
                        Calls.LIMITS.withConnectionsPerHost(1, 2),
                        AllowList.parse("127.0.0.1"),
                        Calls.NO_NAMES,
                        Calls.CLOCK);
                RawServer server = RawServer.on("127.0.0.1", 0, (request, in, out) -> {
                    arrived.complete(true);
                    in.read();
                    return false;
                })) {
            CompletableFuture<Answer> first = start(dispatcher, get(server.url()));
            Calls.await(arrived);
            assertTimeout(answer(dispatcher, get(server.url(), SHORT)));
            CompletableFuture<Answer> second = start(dispatcher, get(server.url()));
            CompletableFuture<Answer> third = start(dispatcher, get(server.url()));
            Answer tooMany = answer(dispatcher, get(server.url()));
            assertThat(tooMany.failure()).contains(Failure.CONNECTION);
            assertThat(tooMany.error()).contains("too many");
            assertThat(List.of(first, second, third)).noneMatch(CompletableFuture::isDone);
            assertThat(server.connections()).isEqualTo(1);
        }
    }

    @Test
    void aPartThatCameIsKept() {
        RawServer.Script half = (request, in, out) -> {
            out.write("HTTP/1.1 503 Busy\r\nRetry-After: 7\r\nContent-Length: 100\r\n\r\nhalf".getBytes(UTF_8));
            out.flush();
            in.read();
            return false;
        };
        try (HttpDispatcher dispatcher = Calls.open("127.0.0.1");
                RawServer server = RawServer.on("127.0.0.1", 0, half)) {
            Answer answer = answer(dispatcher, get(server.url(), LONG_ENOUGH_FOR_A_PART));
            assertTimeout(answer, LONG_ENOUGH_FOR_A_PART);
            assertThat(answer.status()).contains(503);
            assertThat(answer.excerpt()).isEqualTo("half");
            assertThat(answer.retryAfter()).contains(Duration.ofSeconds(7));
        }
    }
}
