package dev.escapement.endpoints.http;

import static dev.escapement.endpoints.http.TestCalls.call;
import static dev.escapement.endpoints.http.TestCalls.get;
import static dev.escapement.endpoints.http.TestCalls.start;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.endpoints.guard.AllowList;
import dev.escapement.endpoints.http.CallResult.Failure;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that the callback runs exactly once, also when response, timeout and close race. */
class ExactlyOnceCallbackTest {

    private static ScriptedServer startEchoServer() {
        return ScriptedServer.listen("127.0.0.1", 0, (request, in, out) -> {
            out.write(ScriptedServer.okResponse(request.split(" ", 3)[1]).getBytes(UTF_8));
            return true;
        });
    }

    /** Keeps idle connections open on slow machines. */
    private static DispatchLimits limitsWithLongKeepAlive(int connections, int waiting) {
        DispatchLimits usual = TestCalls.LIMITS;
        return new DispatchLimits(
                connections,
                waiting,
                Duration.ofMinutes(1),
                usual.maxResponseBytes(),
                usual.maxExcerptChars(),
                usual.maxDnsLookups(),
                usual.userAgent());
    }

    @Test
    void eachConcurrentCallGetsItsOwnResult() throws InterruptedException {
        int calls = 3000;
        CountDownLatch results = new CountDownLatch(calls);
        ConcurrentHashMap<Integer, String> answers = new ConcurrentHashMap<>();
        AtomicInteger twice = new AtomicInteger();
        try (ScriptedServer server = startEchoServer();
                HttpCallDispatcher dispatcher = HttpCallDispatcher.open(
                        limitsWithLongKeepAlive(64, calls),
                        AllowList.parse("127.0.0.1"),
                        TestCalls.UNKNOWN_HOST_RESOLVER,
                        TestCalls.CLOCK)) {
            for (int i = 0; i < calls; i++) {
                int number = i;
                dispatcher.dispatch(get(server.url() + i), "key-" + i, answer -> {
                    if (answers.put(number, answer.excerpt() + answer.error()) != null) {
                        twice.incrementAndGet();
                    }
                    results.countDown();
                });
            }
            assertThat(results.await(60, TimeUnit.SECONDS)).isTrue();
            assertThat(server.requests()).hasSize(calls).doesNotHaveDuplicates();
            assertThat(server.connections()).isLessThanOrEqualTo(64);
        }
        assertThat(twice).hasValue(0);
        assertThat(answers)
                .hasSize(calls)
                .allSatisfy((number, excerpt) -> assertThat(excerpt).isEqualTo("/" + number));
    }

    @Test
    void closeDuringCallsNotifiesEachOnce() throws InterruptedException {
        AtomicInteger started = new AtomicInteger();
        AtomicInteger results = new AtomicInteger();
        ConcurrentHashMap<Integer, Integer> counts = new ConcurrentHashMap<>();
        try (ScriptedServer server = startEchoServer()) {
            HttpCallDispatcher dispatcher = TestCalls.open("127.0.0.1");
            CountDownLatch underWay = new CountDownLatch(200);
            Thread caller = new Thread(() -> {
                for (int i = 0; i < 2000; i++) {
                    int number = i;
                    started.incrementAndGet();
                    // Some timeouts are so short that they take part in the race.
                    Duration timeout = i % 3 == 0 ? Duration.ofMillis(1) : TestCalls.LONG_TIMEOUT;
                    dispatcher.dispatch(get(server.url() + i, timeout), "key-" + i, answer -> {
                        counts.merge(number, 1, Integer::sum);
                        results.incrementAndGet();
                    });
                    underWay.countDown();
                }
            });
            caller.start();
            assertThat(underWay.await(60, TimeUnit.SECONDS)).isTrue();
            dispatcher.close();
            caller.join(60_000);
            assertThat(caller.isAlive()).isFalse();
        }
        assertThat(results).hasValue(started.get());
        assertThat(counts)
                .hasSize(2000)
                .allSatisfy((number, times) -> assertThat(times).isEqualTo(1));
    }

    @Test
    void closeAbortsActiveCalls() {
        ScriptedServer.Script silent = (request, in, out) -> in.read() >= 0;
        try (ScriptedServer server = ScriptedServer.listen("127.0.0.1", 0, silent)) {
            HttpCallDispatcher dispatcher = TestCalls.open("127.0.0.1");
            CompletableFuture<CallResult> call = start(dispatcher, get(server.url()));
            dispatcher.close();
            assertThat(TestCalls.await(call).failure()).contains(Failure.ABORTED);
            assertThat(call(dispatcher, get(server.url())).failure()).contains(Failure.ABORTED);
            dispatcher.close();
        }
    }

    @Test
    void throwingCallbackDoesNotAffectOtherCalls() {
        try (ScriptedServer server = startEchoServer();
                HttpCallDispatcher dispatcher = TestCalls.open("127.0.0.1")) {
            dispatcher.dispatch(get(server.url()), "key-1", answer -> {
                throw new IllegalStateException("a test throws this");
            });
            assertThat(call(dispatcher, get(server.url() + "next")).excerpt()).isEqualTo("/next");
        }
    }

    @Test
    void retriesWhenReusedConnectionWasClosed() {
        AtomicInteger seen = new AtomicInteger();
        // Responds to one request per connection, and reads the next one before it closes.
        ScriptedServer.Script rude = (request, in, out) -> {
            if (request.startsWith("GET /second") && seen.incrementAndGet() == 1) {
                return false;
            }
            out.write(ScriptedServer.okResponse(request.split(" ", 3)[1]).getBytes(UTF_8));
            return true;
        };
        try (ScriptedServer server = ScriptedServer.listen("127.0.0.1", 0, rude);
                HttpCallDispatcher dispatcher = TestCalls.open("127.0.0.1")) {
            assertThat(call(dispatcher, get(server.url() + "first")).excerpt()).isEqualTo("/first");
            assertThat(call(dispatcher, get(server.url() + "second")).excerpt()).isEqualTo("/second");
            assertThat(server.requests()).hasSize(3);
            assertThat(server.requests().get(1)).isEqualTo(server.requests().get(2));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"H", "HTTP/1.1 200 OK\r\nContent-Le", "HTTP/1.1 100 Continue\r\n\r\n"})
    void doesNotRetryAfterFirstResponseByte(String beginning) {
        ScriptedServer.Script breaks = (request, in, out) -> {
            boolean second = request.startsWith("GET /second");
            out.write((second ? beginning : ScriptedServer.okResponse("")).getBytes(UTF_8));
            return !second;
        };
        try (ScriptedServer server = ScriptedServer.listen("127.0.0.1", 0, breaks);
                HttpCallDispatcher dispatcher = TestCalls.open("127.0.0.1")) {
            assertThat(call(dispatcher, get(server.url() + "first")).isSuccess())
                    .isTrue();
            assertThat(call(dispatcher, get(server.url() + "second")).isSuccess())
                    .isFalse();
            assertThat(server.requests()).hasSize(2);
            assertThat(server.connections()).as("on a used connection").isEqualTo(1);
        }
    }

    @Test
    void doesNotRetryOnNewConnection() {
        try (ScriptedServer server = ScriptedServer.respondingWith("");
                HttpCallDispatcher dispatcher = TestCalls.open("127.0.0.1")) {
            assertThat(call(dispatcher, get(server.url())).failure()).contains(Failure.CONNECTION);
            assertThat(server.requests()).hasSize(1);
        }
    }
}
