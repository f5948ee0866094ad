package dev.escapement.endpoints.call;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.endpoints.Definition;
import dev.escapement.endpoints.EndpointDocument.Wanted;
import dev.escapement.endpoints.Endpoints;
import dev.escapement.endpoints.Planning;
import dev.escapement.endpoints.Sample;
import dev.escapement.endpoints.store.Run;
import dev.escapement.endpoints.store.sql.SqlEndpointStore;
import dev.escapement.endpoints.worker.Worker;
import dev.escapement.endpoints.worker.WorkerListener;
import dev.escapement.endpoints.worker.WorkerSettings;
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

/** Every poison there is, scheduled beside a healthy endpoint: each is recorded, and the neighbour keeps its beat. */
class PoisonedLoopTest {

    private static final int PATIENCE_SECONDS = 120;
    private static final Duration BEAT = Duration.ofMillis(200);

    private final BlockingQueue<Run> ran = new LinkedBlockingQueue<>();

    @ParameterizedTest
    @EnumSource(DatabaseKind.class)
    void aPoisonHurtsOnlyItself(DatabaseKind kind) throws InterruptedException {
        List<RawServer> servers = new ArrayList<>();
        try (TestDatabase database = kind.create()) {
            SqlEndpointStore store = SqlEndpointStore.on(database.open(), 100);
            Planning planning = new Planning(RunPlanner.withDefaultJitter());
            Endpoints people = new Endpoints(
                    store, planning, () -> UUID.randomUUID().toString().substring(0, 8));
            Map<String, Poison> poisons = new HashMap<>();
            Poison.all().forEach(poison -> {
                RawServer server = PoisonServer.of(poison, new AtomicLong());
                servers.add(server);
                String name = "poison-" + poisons.size();
                poisons.put(name, poison);
                people.create(wanted(name, server));
            });
            RawServer well = RawServer.on("127.0.0.1", 0, (request, in, out) -> {
                out.write("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfine".getBytes(UTF_8));
                out.flush();
                return true;
            });
            servers.add(well);
            people.create(wanted("healthy", well));

            HttpDispatcher dispatcher = HttpDispatcher.open(
                    DispatchLimits.defaults("test"),
                    AllowList.parse("127.0.0.0/8"),
                    Resolver.ofTheMachine(),
                    store.clock());
            WorkerSettings settings = new WorkerSettings("w", 256, 16, Duration.ofSeconds(10), Duration.ofSeconds(1));
            Worker worker = Worker.start(store, dispatcher, planning, settings, new WorkerListener() {
                @Override
                public void ran(Run run) {
                    ran.add(run);
                }
            });

            Set<String> missing = new HashSet<>(poisons.keySet());
            int beats = 0;
            Optional<Instant> nextBeat = Optional.empty();
            while (!missing.isEmpty() || beats < 20) {
                Run run = ran.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
                assertThat(run)
                        .describedAs("a run, while %s are missing and %s beats came", missing, beats)
                        .isNotNull();
                if (run.name().equals("healthy")) {
                    beats++;
                    assertThat(run.answer().error()).isEmpty();
                    assertThat(Optional.of(run.slot()))
                            .describedAs("every beat has its run, or a slow machine's miss is written down")
                            .isEqualTo(nextBeat.or(() -> Optional.of(run.slot())));
                    nextBeat = Optional.of(run.slot().plus(BEAT.multipliedBy(1 + run.missed())));
                } else if (missing.remove(run.name())) {
                    Poison poison = Objects.requireNonNull(poisons.get(run.name()));
                    assertThat(run.answer().isSuccess())
                            .describedAs("%s: %s", poison.name(), run.answer())
                            .isEqualTo(poison.expected().isEmpty());
                }
            }
            worker.close(Duration.ZERO);
            assertThat(store.run(store.named("healthy").orElseThrow().endpoint().id(), 1))
                    .isPresent();
        } finally {
            servers.forEach(RawServer::close);
        }
    }

    private static Wanted wanted(String name, RawServer server) {
        Definition plain =
                Sample.of(name, server.url(), new FixedInterval(BEAT)).definition();
        Definition hasty = new Definition(
                plain.name(),
                plain.description(),
                plain.url(),
                plain.method(),
                plain.headers(),
                plain.body(),
                Duration.ofSeconds(2),
                plain.signingKey(),
                plain.baseline(),
                plain.minInterval(),
                plain.maxInterval(),
                plain.remediation());
        return new Wanted(hasty, Optional.empty());
    }
}
