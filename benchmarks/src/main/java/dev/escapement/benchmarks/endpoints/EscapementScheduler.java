package dev.escapement.benchmarks.endpoints;

import dev.escapement.crashtests.kit.RecordedCall;
import dev.escapement.endpoints.model.EndpointDefinition;
import dev.escapement.endpoints.model.EndpointOverrides;
import dev.escapement.endpoints.model.FinishedRun;
import dev.escapement.endpoints.model.ScheduledEndpoint;
import dev.escapement.endpoints.model.ScheduledEndpoint.PlannedRun;
import dev.escapement.endpoints.schedule.EndpointPlanner;
import dev.escapement.endpoints.store.EndpointStore;
import dev.escapement.endpoints.store.EndpointStore.EndpointChange;
import dev.escapement.endpoints.store.SqlEndpointStore;
import dev.escapement.endpoints.worker.EndpointWorker;
import dev.escapement.endpoints.worker.EndpointWorker.EndpointWorkerListener;
import dev.escapement.endpoints.worker.EndpointWorker.EndpointWorkerSettings;
import dev.escapement.governor.plan.FixedInterval;
import dev.escapement.governor.plan.RunHistory;
import dev.escapement.governor.plan.RunPlanner;
import dev.escapement.storage.Database;
import dev.escapement.storage.SecretText;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/** The real store, worker, planner and dispatcher, connected as in the server. */
final class EscapementScheduler implements MeasuredScheduler, EndpointWorkerListener {

    private static final int KEPT_RUNS = 1_000;
    private static final Duration LEASE_MARGIN = Duration.ofSeconds(10);
    private static final Duration POLL_INTERVAL = Duration.ofSeconds(30);
    private static final int BATCH_SIZE = 1_000;

    private final Database database;
    private final EndpointStore store;
    private final EndpointPlanner planning = new EndpointPlanner(RunPlanner.withDefaultJitter());
    private final EndpointWorker worker;
    private final AtomicLong recorded = new AtomicLong();
    private volatile long lastRecordedMicros;

    /** @param place a JDBC URL of PostgreSQL with user and password, or an SQLite file */
    EscapementScheduler(String place, ConcurrencyLimits limits) {
        database = openDatabase(place);
        store = SqlEndpointStore.open(database, KEPT_RUNS);
        EndpointWorkerSettings settings = new EndpointWorkerSettings(
                "benchmark", limits.concurrency(), limits.perHost(), LEASE_MARGIN, POLL_INTERVAL);
        worker = new EndpointWorker(store, BenchmarkCalls.newDispatcher(limits), planning, settings, this);
    }

    static Database openDatabase(String place) {
        return place.startsWith("jdbc:")
                ? Database.openPostgres(place, "", SecretText.of(""))
                : Database.openSqlite(Path.of(place));
    }

    @Override
    public void start(Timetable timetable) {
        for (int from = 0; from < timetable.count(); from += BATCH_SIZE) {
            List<EndpointChange> part = IntStream.range(from, Math.min(from + BATCH_SIZE, timetable.count()))
                    .<EndpointChange>mapToObj(endpoint -> new EndpointChange.Create(endpoint(timetable, endpoint)))
                    .toList();
            if (!store.apply(part)) {
                throw new IllegalStateException("the endpoints exist already");
            }
        }
    }

    /**
     * Plans the endpoint as if it had been created one interval before its first slot, so that it runs at the slots.
     */
    private ScheduledEndpoint endpoint(Timetable timetable, int number) {
        String id = Timetable.id(number);
        Instant created = timetable.slot(number, 1).minus(timetable.interval());
        RunHistory history = RunHistory.initial(created);
        EndpointDefinition definition = definition(timetable, number);
        PlannedRun planned = planning.plan(id, definition, EndpointOverrides.NONE, history, created);
        return new ScheduledEndpoint(
                id,
                created,
                definition,
                EndpointOverrides.NONE,
                history,
                timetable.pastRuns() + 1L,
                planned,
                Optional.empty());
    }

    private static EndpointDefinition definition(Timetable timetable, int number) {
        return new EndpointDefinition(
                Timetable.id(number),
                "",
                BenchmarkCalls.callFor(timetable, number),
                new FixedInterval(timetable.interval()),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    @Override
    public void onRunRecorded(FinishedRun run) {
        recorded.incrementAndGet();
        lastRecordedMicros = RecordedCall.epochMicros(Instant.now());
    }

    @Override
    public Counters counters() {
        return new Counters(database.counts().statements(), recorded.get(), lastRecordedMicros);
    }

    @Override
    public void close() {
        worker.close(Duration.ofSeconds(2));
        database.close();
    }
}
