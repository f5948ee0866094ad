package dev.escapement.endpoints.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.endpoints.guard.AllowList;
import dev.escapement.endpoints.guard.DnsResolverPool.DnsResolver;
import dev.escapement.endpoints.model.EndpointDefinition.DesiredEndpoint;
import dev.escapement.endpoints.model.FinishedRun;
import dev.escapement.endpoints.model.SampleEndpoints;
import dev.escapement.endpoints.schedule.EndpointPlanner;
import dev.escapement.endpoints.schedule.EndpointService;
import dev.escapement.endpoints.store.SqlEndpointStore;
import dev.escapement.endpoints.worker.EndpointWorker;
import dev.escapement.endpoints.worker.EndpointWorker.EndpointWorkerListener;
import dev.escapement.endpoints.worker.EndpointWorker.EndpointWorkerSettings;
import dev.escapement.governor.plan.FixedInterval;
import dev.escapement.governor.plan.RunPlanner;
import dev.escapement.storage.DatabaseKind;
import dev.escapement.storage.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Schedules all malicious endpoints beside a healthy one: each result is recorded, and the healthy one is not delayed.
 */
class MaliciousEndpointIsolationTest {

    private static final int TIMEOUT_SECONDS = 120;
    private static final Duration INTERVAL = Duration.ofMillis(200);

    private final BlockingQueue<FinishedRun> recordedRuns = new LinkedBlockingQueue<>();

    @ParameterizedTest
    @EnumSource(DatabaseKind.class)
    void maliciousEndpointsDoNotDelayHealthyOne(DatabaseKind kind) throws InterruptedException {
        List<ScriptedServer> servers = new ArrayList<>();
        try (TestDatabase database = kind.create()) {
            SqlEndpointStore store = SqlEndpointStore.open(database.open(), 100);
            EndpointPlanner planning = new EndpointPlanner(RunPlanner.withDefaultJitter());
            EndpointService people = new EndpointService(
                    store, planning, () -> UUID.randomUUID().toString().substring(0, 8));
            Map<String, MaliciousResponse> maliciousResponses = new HashMap<>();
            MaliciousResponse.all().forEach(malicious -> {
                ScriptedServer server = MaliciousServer.start(malicious, new AtomicLong());
                servers.add(server);
                String name = "poison-" + maliciousResponses.size();
                maliciousResponses.put(name, malicious);
                people.create(endpointAt(name, server, Duration.ofSeconds(2)));
            });
            ScriptedServer well = ScriptedServer.listen("127.0.0.1", 0, (request, in, out) -> {
                out.write("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfine".getBytes(UTF_8));
                out.flush();
                return true;
            });
            servers.add(well);
            // Longer than a busy machine may stall.
            people.create(endpointAt("healthy", well, Duration.ofSeconds(60)));

            HttpCallDispatcher dispatcher = HttpCallDispatcher.open(
                    DispatchLimits.defaults("test"),
                    AllowList.parse("127.0.0.0/8"),
                    DnsResolver.system(),
                    store.clock());
            EndpointWorkerSettings settings =
                    new EndpointWorkerSettings("w", 256, 16, Duration.ofSeconds(10), Duration.ofSeconds(1));
            EndpointWorker worker =
                    new EndpointWorker(store, dispatcher, planning, settings, new EndpointWorkerListener() {
                        @Override
                        public void onRunRecorded(FinishedRun run) {
                            recordedRuns.add(run);
                        }
                    });

            Set<String> missing = new HashSet<>(maliciousResponses.keySet());
            int healthyRuns = 0;
            Optional<Instant> nextBeat = Optional.empty();
            while (!missing.isEmpty() || healthyRuns < 20) {
                FinishedRun run = recordedRuns.poll(TIMEOUT_SECONDS, TimeUnit.SECONDS);
                assertThat(run)
                        .describedAs("next run; missing=%s, runs of the healthy endpoint=%s", missing, healthyRuns)
                        .isNotNull();
                if (run.endpointName().equals("healthy")) {
                    healthyRuns++;
                    assertThat(run.callResult().error()).isEmpty();
                    assertThat(Optional.of(run.slot()))
                            .describedAs("every slot has a run or is recorded as missed")
                            .isEqualTo(nextBeat.or(() -> Optional.of(run.slot())));
                    nextBeat = Optional.of(run.slot().plus(INTERVAL.multipliedBy(1 + run.missed())));
                } else if (missing.remove(run.endpointName())) {
                    MaliciousResponse malicious = Objects.requireNonNull(maliciousResponses.get(run.endpointName()));
                    boolean allowed = run.callResult().isSuccess()
                            ? malicious.expected().isEmpty()
                            : malicious.surplus() || malicious.expected().isPresent();
                    assertThat(allowed)
                            .describedAs("%s: %s", malicious.name(), run.callResult())
                            .isTrue();
                }
            }
            worker.close(Duration.ZERO);
            assertThat(store.getRun(
                            store.findByName("healthy").orElseThrow().endpoint().id(), 1))
                    .isPresent();
        } finally {
            servers.forEach(ScriptedServer::close);
        }
    }

    private static DesiredEndpoint endpointAt(String name, ScriptedServer server, Duration timeout) {
        return SampleEndpoints.of(name, server.url(), new FixedInterval(INTERVAL), timeout);
    }
}
