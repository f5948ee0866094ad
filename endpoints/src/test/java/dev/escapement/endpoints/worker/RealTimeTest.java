package dev.escapement.endpoints.worker;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.escapement.endpoints.Endpoints;
import dev.escapement.endpoints.Planning;
import dev.escapement.endpoints.Sample;
import dev.escapement.endpoints.call.AllowList;
import dev.escapement.endpoints.call.DispatchLimits;
import dev.escapement.endpoints.call.HttpDispatcher;
import dev.escapement.endpoints.call.Resolver;
import dev.escapement.endpoints.store.EndpointStore.RunFilter;
import dev.escapement.endpoints.store.Run;
import dev.escapement.endpoints.store.sql.SqlEndpointStore;
import dev.escapement.governor.plan.FixedInterval;
import dev.escapement.governor.plan.RunPlanner;
import dev.escapement.storage.DatabaseKind;
import dev.escapement.storage.TestDatabase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The whole of it: a real database, real calls to a real server, the clock on the wall. */
@Tag("exhaustive")
class RealTimeTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Planning exact = new Planning(new RunPlanner(0));
    private final ExecutorService answering = Executors.newCachedThreadPool();
    private final BlockingQueue<Run> ran = new LinkedBlockingQueue<>();
    private final Map<String, AtomicInteger> received = new ConcurrentHashMap<>();
    private final AtomicInteger status = new AtomicInteger(200);
    private volatile CountDownLatch held = new CountDownLatch(0);
    private final CountDownLatch arrived = new CountDownLatch(1);
    private final HttpServer sink = sink();

    private HttpServer sink() {
        try {
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1000);
            server.setExecutor(answering);
            server.createContext("/", exchange -> {
                String key = exchange.getRequestHeaders().getFirst("Idempotency-Key");
                received.computeIfAbsent(key, unused -> new AtomicInteger()).incrementAndGet();
                arrived.countDown();
                try {
                    held.await(PATIENCE.toSeconds(), TimeUnit.SECONDS);
                } catch (InterruptedException interrupted) {
                    Thread.currentThread().interrupt();
                }
                exchange.sendResponseHeaders(status.get(), -1);
                exchange.close();
            });
            server.start();
            return server;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    @AfterEach
    void close() {
        held.countDown();
        sink.stop(0);
        answering.shutdownNow();
    }

    private String url() {
        return "http://127.0.0.1:" + sink.getAddress().getPort() + "/";
    }

    private Worker worker(SqlEndpointStore store, String name) {
        HttpDispatcher dispatcher = HttpDispatcher.open(
                DispatchLimits.defaults("test"),
                AllowList.parse("127.0.0.0/8"),
                Resolver.ofTheMachine(),
                store.clock());
        WorkerSettings settings = new WorkerSettings(name, 256, 64, Duration.ofSeconds(10), Duration.ofMillis(500));
        return Worker.start(store, dispatcher, exact, settings, new WorkerListener() {
            @Override
            public void ran(Run run) {
                ran.add(run);
            }
        });
    }

    private Endpoints people(SqlEndpointStore store) {
        return new Endpoints(store, exact, () -> UUID.randomUUID().toString().substring(0, 8));
    }

    private Run next() throws InterruptedException {
        Run run = ran.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        assertThat(run).describedAs("a run within " + PATIENCE).isNotNull();
        return run;
    }

    @ParameterizedTest
    @EnumSource(DatabaseKind.class)
    void theTableOfTheSeedHoldsOnTheWall(DatabaseKind kind) throws InterruptedException {
        try (TestDatabase database = kind.create()) {
            SqlEndpointStore store = SqlEndpointStore.on(database.open(), 100);
            status.set(503);
            people(store).create(Sample.of("health", url(), new FixedInterval(Duration.ofMillis(50))));
            List<Run> runs = new ArrayList<>();
            try (Worker worker = worker(store, "w")) {
                assertThat(worker.isAlive()).isTrue();
                while (runs.size() < 7) {
                    if (runs.size() == 6) {
                        status.set(204);
                    }
                    runs.add(next());
                }
                runs.add(next());
            }
            List<Long> waits = IntStream.range(1, runs.size())
                    .mapToObj(i -> wait(runs.get(i - 1), runs.get(i)))
                    .toList();
            assertThat(waits.subList(0, 6)).containsExactly(100L, 200L, 400L, 800L, 1600L, 1600L);
            assertThat(waits.get(6))
                    .describedAs("on the grid of the recovery, with what a slow machine missed")
                    .isEqualTo(50 * (1 + runs.get(6).missed()));
            assertThat(runs).allSatisfy(run -> assertThat(run.startedAt()).isAfterOrEqualTo(run.slot()));
            assertThat(received.values()).allSatisfy(times -> assertThat(times).hasValue(1));
        }
    }

    private static long wait(Run before, Run after) {
        Instant from = before.answer().isSuccess() ? before.slot() : before.endedAt();
        return Duration.between(from, after.slot()).toMillis();
    }

    @ParameterizedTest
    @EnumSource(DatabaseKind.class)
    void aThousandBeatsDoNotDriftOnTheWall(DatabaseKind kind) throws InterruptedException {
        Duration beat = Duration.ofMillis(20);
        int enoughToCompare = 200;
        List<Run> runs = new ArrayList<>();
        Instant origin;
        try (TestDatabase database = kind.create()) {
            SqlEndpointStore store = SqlEndpointStore.on(database.open(), 100);
            origin = people(store)
                    .create(Sample.of("beat", url(), new FixedInterval(beat)))
                    .endpoint()
                    .history()
                    .origin();
            Instant end = origin.plus(beat.multipliedBy(1_000));
            try (Worker worker = worker(store, "w")) {
                assertThat(worker.isAlive()).isTrue();
                while (runs.size() < enoughToCompare
                        || runs.get(runs.size() - 1).slot().isBefore(end)) {
                    runs.add(next());
                }
            }
        }
        // Every beat since the beginning has its run, or was written down as missed by the run before it.
        Instant expected = origin.plus(beat);
        for (Run run : runs) {
            assertThat(run.slot()).isEqualTo(expected);
            assertThat(run.startedAt()).isAfterOrEqualTo(run.slot());
            expected = expected.plus(beat.multipliedBy(1 + run.missed()));
        }
        // A machine that stands still makes one run late. Drift would make all of them later and later.
        Duration atFirst = bestOf(runs.subList(0, runs.size() / 4));
        Duration inTheEnd = bestOf(runs.subList(runs.size() * 3 / 4, runs.size()));
        assertThat(inTheEnd).isLessThan(atFirst.multipliedBy(3).plus(beat.multipliedBy(5)));
    }

    private static Duration bestOf(List<Run> runs) {
        return runs.stream().map(Run::lateness).min(Duration::compareTo).orElseThrow();
    }

    @ParameterizedTest
    @EnumSource(DatabaseKind.class)
    void whatIsCutOffByTheEndOfAWorkerIsRepeatedByTheNextUnderTheSameKey(DatabaseKind kind)
            throws InterruptedException {
        try (TestDatabase database = kind.create()) {
            SqlEndpointStore store = SqlEndpointStore.on(database.open(), 100);
            held = new CountDownLatch(1);
            people(store).create(Sample.of("health", url(), new FixedInterval(Duration.ofMillis(50))));
            Worker first = worker(store, "first");
            assertThat(arrived.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
            first.close(Duration.ZERO);
            held.countDown();

            try (Worker second = worker(store, "second")) {
                assertThat(second.isAlive()).isTrue();
                Run run = next();
                assertThat(run.worker()).isEqualTo("second");
                assertThat(run.attempt()).isEqualTo(2);
                assertThat(received.get(run.id())).hasValue(2);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(DatabaseKind.class)
    void whoMayTakeTheirTimeToStopFinishTheirCalls(DatabaseKind kind) throws InterruptedException {
        try (TestDatabase database = kind.create()) {
            SqlEndpointStore store = SqlEndpointStore.on(database.open(), 100);
            held = new CountDownLatch(1);
            people(store).create(Sample.of("health", url(), new FixedInterval(Duration.ofHours(1))));
            people(store).runNow("health", "ada", "now");
            Worker worker = worker(store, "w");
            assertThat(arrived.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
            Thread closing = new Thread(() -> worker.close(PATIENCE));
            closing.start();
            held.countDown();
            closing.join();

            assertThat(worker.isAlive()).isFalse();
            assertThat(store.runs(RunFilter.ALL, "", 10).items())
                    .singleElement()
                    .satisfies(run -> assertThat(run.answer().isSuccess()).isTrue());
        }
    }

    @ParameterizedTest
    @EnumSource(names = "POSTGRESQL", value = DatabaseKind.class)
    void twoWorkersOfTwoServersCallEverySlotOnce(DatabaseKind kind) throws InterruptedException {
        int many = 300;
        try (TestDatabase database = kind.create()) {
            SqlEndpointStore store = SqlEndpointStore.on(database.open(), 100);
            SqlEndpointStore other = SqlEndpointStore.on(database.open(), 100);
            Endpoints people = people(store);
            for (int i = 0; i < many; i++) {
                people.create(Sample.of("n" + i, url() + i, new FixedInterval(Duration.ofMillis(500))));
            }
            Worker one = worker(store, "one");
            Worker two = worker(other, "two");
            for (int i = 0; i < 3 * many; i++) {
                next();
            }
            // With time to finish: a call that is cut off would be repeated by the other.
            one.close(PATIENCE);
            two.close(PATIENCE);
            assertThat(received.values()).allSatisfy(times -> assertThat(times).hasValue(1));
            assertThat(store.runs(new RunFilter(Optional.empty(), Optional.of(true)), "", 10)
                            .items())
                    .isEmpty();
        }
    }
}
