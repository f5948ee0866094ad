package dev.escapement.endpoints.worker;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.escapement.endpoints.guard.AllowList;
import dev.escapement.endpoints.guard.DnsResolver;
import dev.escapement.endpoints.http.DispatchLimits;
import dev.escapement.endpoints.http.HttpCallDispatcher;
import dev.escapement.endpoints.model.FinishedRun;
import dev.escapement.endpoints.model.SampleEndpoints;
import dev.escapement.endpoints.schedule.EndpointPlanner;
import dev.escapement.endpoints.schedule.EndpointService;
import dev.escapement.endpoints.store.EndpointStore.RunFilter;
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
class EndpointWorkerTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final EndpointPlanner planner = new EndpointPlanner(new RunPlanner(0));
    private final ExecutorService serverThreads = Executors.newCachedThreadPool();
    private final BlockingQueue<FinishedRun> recordedRuns = new LinkedBlockingQueue<>();
    private final Map<String, AtomicInteger> receivedByKey = new ConcurrentHashMap<>();
    private final AtomicInteger status = new AtomicInteger(200);
    private volatile CountDownLatch responseLatch = new CountDownLatch(0);
    private final CountDownLatch requestArrived = new CountDownLatch(1);
    private final HttpServer httpServer = startServer();

    private HttpServer startServer() {
        try {
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1000);
            server.setExecutor(serverThreads);
            server.createContext("/", exchange -> {
                String key = exchange.getRequestHeaders().getFirst("Idempotency-Key");
                receivedByKey
                        .computeIfAbsent(key, unused -> new AtomicInteger())
                        .incrementAndGet();
                requestArrived.countDown();
                try {
                    responseLatch.await(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
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
        responseLatch.countDown();
        httpServer.stop(0);
        serverThreads.shutdownNow();
    }

    private String url() {
        return "http://127.0.0.1:" + httpServer.getAddress().getPort() + "/";
    }

    private EndpointWorker startWorker(SqlEndpointStore store, String name) {
        HttpCallDispatcher dispatcher = HttpCallDispatcher.open(
                DispatchLimits.defaults("test"), AllowList.parse("127.0.0.0/8"), DnsResolver.system(), store.clock());
        EndpointWorkerSettings settings =
                new EndpointWorkerSettings(name, 256, 64, Duration.ofSeconds(10), Duration.ofMillis(500));
        return EndpointWorker.start(store, dispatcher, planner, settings, new EndpointWorkerListener() {
            @Override
            public void onRunRecorded(FinishedRun run) {
                recordedRuns.add(run);
            }
        });
    }

    private EndpointService newService(SqlEndpointStore store) {
        return new EndpointService(
                store, planner, () -> UUID.randomUUID().toString().substring(0, 8));
    }

    private FinishedRun nextRun() throws InterruptedException {
        FinishedRun run = recordedRuns.poll(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        assertThat(run).describedAs("a run within " + TIMEOUT).isNotNull();
        return run;
    }

    @ParameterizedTest
    @EnumSource(DatabaseKind.class)
    void backsOffExponentiallyInRealTime(DatabaseKind kind) throws InterruptedException {
        try (TestDatabase database = kind.create()) {
            SqlEndpointStore store = SqlEndpointStore.open(database.open(), 100);
            status.set(503);
            newService(store).create(SampleEndpoints.of("health", url(), new FixedInterval(Duration.ofMillis(50))));
            List<FinishedRun> runs = new ArrayList<>();
            try (EndpointWorker worker = startWorker(store, "w")) {
                assertThat(worker.isAlive()).isTrue();
                while (runs.size() < 7) {
                    if (runs.size() == 6) {
                        status.set(204);
                    }
                    runs.add(nextRun());
                }
                runs.add(nextRun());
            }
            List<Long> waits = IntStream.range(1, runs.size())
                    .mapToObj(i -> waitBetween(runs.get(i - 1), runs.get(i)))
                    .toList();
            assertThat(waits.subList(0, 6)).containsExactly(100L, 200L, 400L, 800L, 1600L, 1600L);
            assertThat(waits.get(6))
                    .describedAs("on the grid of the recovery, with what a slow machine missed")
                    .isEqualTo(50 * (1 + runs.get(6).missed()));
            assertThat(runs).allSatisfy(run -> assertThat(run.startedAt()).isAfterOrEqualTo(run.slot()));
            assertThat(receivedByKey.values())
                    .allSatisfy(times -> assertThat(times).hasValue(1));
        }
    }

    private static long waitBetween(FinishedRun before, FinishedRun after) {
        Instant from = before.callResult().isSuccess() ? before.slot() : before.endedAt();
        return Duration.between(from, after.slot()).toMillis();
    }

    @ParameterizedTest
    @EnumSource(DatabaseKind.class)
    void doesNotDriftInRealTime(DatabaseKind kind) throws InterruptedException {
        Duration beat = Duration.ofMillis(20);
        int enoughToCompare = 200;
        List<FinishedRun> runs = new ArrayList<>();
        Instant origin;
        try (TestDatabase database = kind.create()) {
            SqlEndpointStore store = SqlEndpointStore.open(database.open(), 100);
            origin = newService(store)
                    .create(SampleEndpoints.of("beat", url(), new FixedInterval(beat)))
                    .endpoint()
                    .history()
                    .origin();
            Instant end = origin.plus(beat.multipliedBy(1_000));
            try (EndpointWorker worker = startWorker(store, "w")) {
                assertThat(worker.isAlive()).isTrue();
                while (runs.size() < enoughToCompare
                        || runs.get(runs.size() - 1).slot().isBefore(end)) {
                    runs.add(nextRun());
                }
            }
        }
        // Every beat since the beginning has its run, or was written down as missed by the run before it.
        Instant expected = origin.plus(beat);
        for (FinishedRun run : runs) {
            assertThat(run.slot()).isEqualTo(expected);
            assertThat(run.startedAt()).isAfterOrEqualTo(run.slot());
            expected = expected.plus(beat.multipliedBy(1 + run.missed()));
        }
        // A machine that stands still makes one run late. Drift would make all of them later and later.
        Duration atFirst = minLateness(runs.subList(0, runs.size() / 4));
        Duration inTheEnd = minLateness(runs.subList(runs.size() * 3 / 4, runs.size()));
        assertThat(inTheEnd).isLessThan(atFirst.multipliedBy(3).plus(beat.multipliedBy(5)));
    }

    private static Duration minLateness(List<FinishedRun> runs) {
        return runs.stream().map(FinishedRun::lateness).min(Duration::compareTo).orElseThrow();
    }

    @ParameterizedTest
    @EnumSource(DatabaseKind.class)
    void nextWorkerRepeatsAbortedCallWithSameIdempotencyKey(DatabaseKind kind) throws InterruptedException {
        try (TestDatabase database = kind.create()) {
            SqlEndpointStore store = SqlEndpointStore.open(database.open(), 100);
            responseLatch = new CountDownLatch(1);
            newService(store).create(SampleEndpoints.of("health", url(), new FixedInterval(Duration.ofMillis(50))));
            EndpointWorker first = startWorker(store, "first");
            assertThat(requestArrived.await(TIMEOUT.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
            first.close(Duration.ZERO);
            responseLatch.countDown();

            try (EndpointWorker second = startWorker(store, "second")) {
                assertThat(second.isAlive()).isTrue();
                FinishedRun run = nextRun();
                assertThat(run.workerName()).isEqualTo("second");
                assertThat(run.attempt()).isEqualTo(2);
                assertThat(receivedByKey.get(run.id())).hasValue(2);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(DatabaseKind.class)
    void closeWaitsForCallsWithinGracePeriod(DatabaseKind kind) throws InterruptedException {
        try (TestDatabase database = kind.create()) {
            SqlEndpointStore store = SqlEndpointStore.open(database.open(), 100);
            responseLatch = new CountDownLatch(1);
            newService(store).create(SampleEndpoints.of("health", url(), new FixedInterval(Duration.ofHours(1))));
            newService(store).runNow("health", "ada", "now");
            EndpointWorker worker = startWorker(store, "w");
            assertThat(requestArrived.await(TIMEOUT.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
            Thread closing = new Thread(() -> worker.close(TIMEOUT));
            closing.start();
            responseLatch.countDown();
            closing.join();

            assertThat(worker.isAlive()).isFalse();
            assertThat(store.listRuns(RunFilter.ALL, "", 10).items())
                    .singleElement()
                    .satisfies(run -> assertThat(run.callResult().isSuccess()).isTrue());
        }
    }

    @ParameterizedTest
    @EnumSource(names = "POSTGRESQL", value = DatabaseKind.class)
    void twoServersCallEverySlotOnce(DatabaseKind kind) throws InterruptedException {
        int many = 300;
        try (TestDatabase database = kind.create()) {
            SqlEndpointStore store = SqlEndpointStore.open(database.open(), 100);
            SqlEndpointStore other = SqlEndpointStore.open(database.open(), 100);
            EndpointService people = newService(store);
            for (int i = 0; i < many; i++) {
                people.create(SampleEndpoints.of("n" + i, url() + i, new FixedInterval(Duration.ofMillis(500))));
            }
            EndpointWorker one = startWorker(store, "one");
            EndpointWorker two = startWorker(other, "two");
            for (int i = 0; i < 3 * many; i++) {
                nextRun();
            }
            // With time to finish: a call that is cut off would be repeated by the other.
            one.close(TIMEOUT);
            two.close(TIMEOUT);
            assertThat(receivedByKey.values())
                    .allSatisfy(times -> assertThat(times).hasValue(1));
            assertThat(store.listRuns(new RunFilter(Optional.empty(), Optional.of(true)), "", 10)
                            .items())
                    .isEmpty();
        }
    }
}
