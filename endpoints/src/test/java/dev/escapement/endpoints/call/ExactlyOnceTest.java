package dev.escapement.endpoints.call;

import static dev.escapement.endpoints.call.Calls.answer;
import static dev.escapement.endpoints.call.Calls.get;
import static dev.escapement.endpoints.call.Calls.start;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.endpoints.call.Answer.Failure;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever happens, and whatever happens at once: what came of a call is told once. */
class ExactlyOnceTest {

    private static RawServer echo() {
        return RawServer.on("127.0.0.1", 0, (request, in, out) -> {
            out.write(RawServer.ok(request.split(" ", 3)[1]).getBytes(UTF_8));
            return true;
        });
    }

    /** Connections stay, however slow the machine is. */
    private static DispatchLimits keeping(int connections, int waiting) {
        DispatchLimits usual = Calls.LIMITS;
        return new DispatchLimits(
                connections,
                waiting,
                usual.connectTimeout(),
                Duration.ofMinutes(1),
                usual.responseBytes(),
                usual.headerBytes(),
                usual.excerptChars(),
                usual.threads(),
                usual.lookups(),
                usual.userAgent());
    }

    @Test
    void manyCallsAtOnceEachGetTheirOwnAnswer() throws InterruptedException {
        int calls = 3000;
        CountDownLatch told = new CountDownLatch(calls);
        ConcurrentHashMap<Integer, String> answers = new ConcurrentHashMap<>();
        AtomicInteger twice = new AtomicInteger();
        try (RawServer server = echo();
                HttpDispatcher dispatcher = HttpDispatcher.open(
                        keeping(64, calls), AllowList.parse("127.0.0.1"), Calls.NO_NAMES, Calls.CLOCK)) {
            for (int i = 0; i < calls; i++) {
                int number = i;
                dispatcher.dispatch(get(server.url() + i), answer -> {
                    if (answers.put(number, answer.excerpt() + answer.error()) != null) {
                        twice.incrementAndGet();
                    }
                    told.countDown();
                });
            }
            assertThat(told.await(60, TimeUnit.SECONDS)).isTrue();
            assertThat(server.requests()).hasSize(calls).doesNotHaveDuplicates();
            assertThat(server.connections()).isLessThanOrEqualTo(64);
        }
        assertThat(twice).hasValue(0);
        assertThat(answers)
                .hasSize(calls)
                .allSatisfy((number, excerpt) -> assertThat(excerpt).isEqualTo("/" + number));
    }

    @Test
    void closingWhileCallsComeTellsEachOfThemOnce() throws InterruptedException {
        AtomicInteger started = new AtomicInteger();
        AtomicInteger told = new AtomicInteger();
        ConcurrentHashMap<Integer, Integer> counts = new ConcurrentHashMap<>();
        try (RawServer server = echo()) {
            HttpDispatcher dispatcher = Calls.open("127.0.0.1");
            CountDownLatch underWay = new CountDownLatch(200);
            Thread caller = new Thread(() -> {
                for (int i = 0; i < 2000; i++) {
                    int number = i;
                    started.incrementAndGet();
                    // Some have so little time that the timeout takes part in the race.
                    Duration timeout = i % 3 == 0 ? Duration.ofMillis(1) : Calls.LONG;
                    dispatcher.dispatch(get(server.url() + i, timeout), answer -> {
                        counts.merge(number, 1, Integer::sum);
                        told.incrementAndGet();
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
        assertThat(told).hasValue(started.get());
        assertThat(counts)
                .hasSize(2000)
                .allSatisfy((number, times) -> assertThat(times).isEqualTo(1));
    }

    @Test
    void whatIsUnderWayEndsAsAborted() {
        RawServer.Script silent = (request, in, out) -> in.read() >= 0;
        try (RawServer server = RawServer.on("127.0.0.1", 0, silent)) {
            HttpDispatcher dispatcher = Calls.open("127.0.0.1");
            CompletableFuture<Answer> call = start(dispatcher, get(server.url()));
            dispatcher.close();
            assertThat(Calls.await(call).failure()).contains(Failure.ABORTED);
            assertThat(answer(dispatcher, get(server.url())).failure()).contains(Failure.ABORTED);
            dispatcher.close();
        }
    }

    @Test
    void oneWhoFailsToListenHurtsNobody() {
        try (RawServer server = echo();
                HttpDispatcher dispatcher = Calls.open("127.0.0.1")) {
            dispatcher.dispatch(get(server.url()), answer -> {
                throw new IllegalStateException("a test throws this");
            });
            assertThat(answer(dispatcher, get(server.url() + "next")).excerpt()).isEqualTo("/next");
        }
    }

    @Test
    void aConnectionThatWasClosedBetweenTwoCallsIsNotTheEndpointsFault() {
        AtomicInteger seen = new AtomicInteger();
        // Answers one request per connection, and lets the next one in before it hangs up.
        RawServer.Script rude = (request, in, out) -> {
            if (request.startsWith("GET /second") && seen.incrementAndGet() == 1) {
                return false;
            }
            out.write(RawServer.ok(request.split(" ", 3)[1]).getBytes(UTF_8));
            return true;
        };
        try (RawServer server = RawServer.on("127.0.0.1", 0, rude);
                HttpDispatcher dispatcher = Calls.open("127.0.0.1")) {
            assertThat(answer(dispatcher, get(server.url() + "first")).excerpt())
                    .isEqualTo("/first");
            assertThat(answer(dispatcher, get(server.url() + "second")).excerpt())
                    .isEqualTo("/second");
            assertThat(server.requests()).hasSize(3);
            assertThat(server.requests().get(1)).isEqualTo(server.requests().get(2));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"H", "HTTP/1.1 200 OK\r\nContent-Le", "HTTP/1.1 100 Continue\r\n\r\n"})
    void aUsedConnectionThatBreaksAfterAByteOfTheAnswerIsNotTriedAgain(String beginning) {
        RawServer.Script breaks = (request, in, out) -> {
            boolean second = request.startsWith("GET /second");
            out.write((second ? beginning : RawServer.ok("")).getBytes(UTF_8));
            return !second;
        };
        try (RawServer server = RawServer.on("127.0.0.1", 0, breaks);
                HttpDispatcher dispatcher = Calls.open("127.0.0.1")) {
            assertThat(answer(dispatcher, get(server.url() + "first")).isSuccess())
                    .isTrue();
            assertThat(answer(dispatcher, get(server.url() + "second")).isSuccess())
                    .isFalse();
            assertThat(server.requests()).hasSize(2);
            assertThat(server.connections()).as("on a used connection").isEqualTo(1);
        }
    }

    @Test
    void aFreshConnectionThatBreaksIsNotTriedAgain() {
        try (RawServer server = RawServer.saying("");
                HttpDispatcher dispatcher = Calls.open("127.0.0.1")) {
            assertThat(answer(dispatcher, get(server.url())).failure()).contains(Failure.CONNECTION);
            assertThat(server.requests()).hasSize(1);
        }
    }
}
