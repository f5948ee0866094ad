package dev.escapement.endpoints.worker;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.escapement.endpoints.guard.AllowList;
import dev.escapement.endpoints.guard.DnsResolverPool.DnsResolver;
import dev.escapement.endpoints.http.DispatchLimits;
import dev.escapement.endpoints.http.HttpCallDispatcher;
import dev.escapement.endpoints.model.FinishedRun;
import dev.escapement.endpoints.schedule.EndpointPlanner;
import dev.escapement.endpoints.schedule.EndpointService;
import dev.escapement.endpoints.store.SqlEndpointStore;
import dev.escapement.endpoints.worker.EndpointWorker.EndpointWorkerListener;
import dev.escapement.endpoints.worker.EndpointWorker.EndpointWorkerSettings;
import dev.escapement.governor.plan.RunPlanner;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A real HTTP server that counts calls by idempotency key, and workers that call it by the wall clock. */
final class EndpointWorkerFixture implements AutoCloseable {

    static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final EndpointPlanner planner = new EndpointPlanner(new RunPlanner(0));
    private final ExecutorService serverThreads = Executors.newCachedThreadPool();
    private final BlockingQueue<FinishedRun> recordedRuns = new LinkedBlockingQueue<>();
    final Map<String, AtomicInteger> receivedByKey = new ConcurrentHashMap<>();
    final AtomicInteger status = new AtomicInteger(200);
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

    @Override
    public void close() {
        respond();
        httpServer.stop(0);
        serverThreads.shutdownNow();
    }

    String url() {
        return "http://127.0.0.1:" + httpServer.getAddress().getPort() + "/";
    }

    EndpointWorker startWorker(SqlEndpointStore store, String name) {
        HttpCallDispatcher dispatcher = HttpCallDispatcher.open(
                DispatchLimits.defaults("test"), AllowList.parse("127.0.0.0/8"), DnsResolver.system(), store.clock());
        EndpointWorkerSettings settings =
                new EndpointWorkerSettings(name, 256, 64, Duration.ofSeconds(10), Duration.ofMillis(500));
        return new EndpointWorker(store, dispatcher, planner, settings, new EndpointWorkerListener() {
            @Override
            public void onRunRecorded(FinishedRun run) {
                recordedRuns.add(run);
            }
        });
    }

    EndpointService newService(SqlEndpointStore store) {
        return new EndpointService(
                store, planner, () -> UUID.randomUUID().toString().substring(0, 8));
    }

    /** Makes the server wait with its responses until {@link #respond}. */
    void holdResponses() {
        responseLatch = new CountDownLatch(1);
    }

    void respond() {
        responseLatch.countDown();
    }

    void awaitRequest() throws InterruptedException {
        assertThat(requestArrived.await(TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }

    /** Waits for the next recorded run. */
    FinishedRun nextRun() throws InterruptedException {
        FinishedRun run = recordedRuns.poll(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        assertThat(run).describedAs("a run within " + TIMEOUT).isNotNull();
        return run;
    }
}
