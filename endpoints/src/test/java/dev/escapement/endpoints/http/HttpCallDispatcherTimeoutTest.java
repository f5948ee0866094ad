package dev.escapement.endpoints.http;

import static dev.escapement.endpoints.http.TestCalls.SHORT_TIMEOUT;
import static dev.escapement.endpoints.http.TestCalls.call;
import static dev.escapement.endpoints.http.TestCalls.get;
import static dev.escapement.endpoints.http.TestCalls.start;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.endpoints.guard.AllowList;
import dev.escapement.endpoints.guard.DnsResolverPool.DnsResolver;
import dev.escapement.endpoints.http.CallResult.Failure;
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

/** Tests that the timeout covers every stage of a call. */
class HttpCallDispatcherTimeoutTest {

    /** Accepts connections only into its backlog, and never reads or writes. */
    private static ServerSocket unresponsiveServer() throws IOException {
        return new ServerSocket(0, 64, InetAddress.getLoopbackAddress());
    }

    private static final Duration PARTIAL_RESPONSE_TIMEOUT = Duration.ofMillis(2_500);

    private static void assertTimeout(CallResult answer) {
        assertTimeout(answer, SHORT_TIMEOUT);
    }

    private static void assertTimeout(CallResult answer, Duration timeout) {
        assertThat(answer.failure()).as(answer.error()).contains(Failure.TIMEOUT);
        assertThat(answer.error()).contains(timeout.toMillis() + " ms");
    }

    @Test
    void timesOutDuringDnsLookup() {
        CountDownLatch over = new CountDownLatch(1);
        DnsResolver slow = name -> {
            try {
                over.await();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
            return TestCalls.parseAddresses("127.0.0.1");
        };
        try (HttpCallDispatcher dispatcher = TestCalls.open("127.0.0.1", slow)) {
            for (int i = 0; i < 5; i++) {
                assertTimeout(call(dispatcher, get("http://slow.test/", SHORT_TIMEOUT)));
            }
            over.countDown();
        }
    }

    @Test
    void slowLookupDoesNotDelayOtherHosts() {
        CountDownLatch over = new CountDownLatch(1);
        DnsResolver resolver = name -> {
            try {
                if (name.startsWith("slow")) {
                    over.await();
                }
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
            return TestCalls.parseAddresses("127.0.0.1");
        };
        try (HttpCallDispatcher dispatcher = TestCalls.open("127.0.0.1", resolver);
                ScriptedServer server = ScriptedServer.respondingWith(ScriptedServer.okResponse("fast"))) {
            List<CompletableFuture<CallResult>> slow = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                slow.add(start(dispatcher, get("http://slow.test/" + i)));
            }
            assertThat(call(dispatcher, get("http://fast.test:" + server.port() + "/"))
                            .excerpt())
                    .isEqualTo("fast");
            assertThat(slow).noneMatch(CompletableFuture::isDone);
            over.countDown();
        }
    }

    @Test
    void timesOutDuringTlsHandshake() throws IOException {
        try (ServerSocket deaf = unresponsiveServer();
                HttpCallDispatcher dispatcher = TestCalls.open("127.0.0.1")) {
            assertTimeout(call(dispatcher, get("https://127.0.0.1:" + deaf.getLocalPort() + "/", SHORT_TIMEOUT)));
        }
    }

    @Test
    void timesOutDuringConnect() throws IOException {
        try (ServerSocket full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                HttpCallDispatcher dispatcher = TestCalls.open("127.0.0.1")) {
            List<Socket> fillers = new ArrayList<>();
            try {
                // The operating system accepts a few more than the configured backlog.
                for (int i = 0; i < 8; i++) {
                    Socket filler = new Socket();
                    fillers.add(filler);
                    filler.connect(full.getLocalSocketAddress(), 100);
                }
            } catch (IOException queueIsFull) {
                assertThat(fillers).isNotEmpty();
            }
            assertTimeout(call(dispatcher, get("http://127.0.0.1:" + full.getLocalPort() + "/", SHORT_TIMEOUT)));
            for (Socket filler : fillers) {
                filler.close();
            }
        }
    }

    @Test
    void timesOutWhileSendingBody() throws IOException {
        try (ServerSocket deaf = unresponsiveServer();
                HttpCallDispatcher dispatcher = TestCalls.open("127.0.0.1")) {
            CallRequest large = new CallRequest(
                    "http://127.0.0.1:" + deaf.getLocalPort() + "/",
                    CallRequest.Method.POST,
                    Map.of(),
                    "x".repeat(32 << 20),
                    SHORT_TIMEOUT,
                    Optional.empty());
            assertTimeout(call(dispatcher, large));
        }
    }

    @Test
    void timesOutWhileWaitingForConnection() {
        CompletableFuture<Boolean> arrived = new CompletableFuture<>();
        try (HttpCallDispatcher dispatcher = HttpCallDispatcher.open(
                        new DispatchLimits(1, 2, Duration.ofMillis(1500), 1 << 20, 2048, 256, "test"),
                        AllowList.parse("127.0.0.1"),
                        TestCalls.UNKNOWN_HOST_RESOLVER,
                        TestCalls.CLOCK);
                ScriptedServer server = ScriptedServer.listen("127.0.0.1", 0, (request, in, out) -> {
                    arrived.complete(true);
                    in.read();
                    return false;
                })) {
            CompletableFuture<CallResult> first = start(dispatcher, get(server.url()));
            TestCalls.await(arrived);
            assertTimeout(call(dispatcher, get(server.url(), SHORT_TIMEOUT)));
            CompletableFuture<CallResult> second = start(dispatcher, get(server.url()));
            CompletableFuture<CallResult> third = start(dispatcher, get(server.url()));
            CallResult tooMany = call(dispatcher, get(server.url()));
            assertThat(tooMany.failure()).contains(Failure.CONNECTION);
            assertThat(tooMany.error()).contains("too many");
            assertThat(List.of(first, second, third)).noneMatch(CompletableFuture::isDone);
            assertThat(server.connections()).isEqualTo(1);
        }
    }

    @Test
    void keepsPartialResponseOnTimeout() {
        ScriptedServer.Script half = (request, in, out) -> {
            out.write("HTTP/1.1 503 Busy\r\nRetry-After: 7\r\nContent-Length: 100\r\n\r\nhalf".getBytes(UTF_8));
            out.flush();
            in.read();
            return false;
        };
        try (HttpCallDispatcher dispatcher = TestCalls.open("127.0.0.1");
                ScriptedServer server = ScriptedServer.listen("127.0.0.1", 0, half)) {
            CallResult answer = call(dispatcher, get(server.url(), PARTIAL_RESPONSE_TIMEOUT));
            assertTimeout(answer, PARTIAL_RESPONSE_TIMEOUT);
            assertThat(answer.statusCode()).contains(503);
            assertThat(answer.excerpt()).isEqualTo("half");
            assertThat(answer.retryAfter()).contains(Duration.ofSeconds(7));
        }
    }
}
