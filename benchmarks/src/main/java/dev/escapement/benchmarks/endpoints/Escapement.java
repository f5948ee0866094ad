package dev.escapement.benchmarks.endpoints;

import dev.escapement.endpoints.Definition;
import dev.escapement.endpoints.Endpoint;
import dev.escapement.endpoints.Planned;
import dev.escapement.endpoints.Planning;
import dev.escapement.endpoints.Steering;
import dev.escapement.endpoints.call.Call;
import dev.escapement.endpoints.store.EndpointStore;
import dev.escapement.endpoints.store.Run;
import dev.escapement.endpoints.store.Write;
import dev.escapement.endpoints.store.sql.SqlEndpointStore;
import dev.escapement.endpoints.worker.Worker;
import dev.escapement.endpoints.worker.WorkerListener;
import dev.escapement.endpoints.worker.WorkerSettings;
import dev.escapement.governor.plan.FixedInterval;
import dev.escapement.governor.plan.RunHistory;
import dev.escapement.governor.plan.RunPlanner;
import dev.escapement.storage.Database;
import dev.escapement.storage.SecretText;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/** The real store, worker, planner and dispatcher, wired as the server wires them. */
final class Escapement implements Subject, WorkerListener {

    private static final int KEEP_RUNS = 1_000;
    private static final Duration MARGIN = Duration.ofSeconds(10);
    private static final Duration LOOK_EVERY = Duration.ofSeconds(30);
    private static final int PART = 1_000;

    private final Database database;
    private final EndpointStore store;
    private final Planning planning = new Planning(RunPlanner.withDefaultJitter());
    private final Worker worker;
    private final AtomicLong recorded = new AtomicLong();
    private volatile long last;

    /** @param place a JDBC URL of PostgreSQL with user and password, or a file of SQLite */
    Escapement(String place, Knobs knobs) {
        database = open(place);
        store = SqlEndpointStore.on(database, KEEP_RUNS);
        WorkerSettings settings =
                new WorkerSettings("benchmark", knobs.concurrency(), knobs.perHost(), MARGIN, LOOK_EVERY);
        worker = Worker.start(store, Calls.dispatcher(knobs), planning, settings, this);
    }

    static Database open(String place) {
        return place.startsWith("jdbc:")
                ? Database.openPostgres(place, "", SecretText.of(""))
                : Database.openSqlite(Path.of(place));
    }

    @Override
    public void begin(Timetable timetable) {
        for (int from = 0; from < timetable.count(); from += PART) {
            List<Write> part = IntStream.range(from, Math.min(from + PART, timetable.count()))
                    .<Write>mapToObj(endpoint -> new Write.Create(endpoint(timetable, endpoint)))
                    .toList();
            if (!store.apply(part)) {
                throw new IllegalStateException("the endpoints are there already");
            }
        }
    }

    /** On the grid of the timetable: planned as if it had been created an interval before its first slot. */
    private Endpoint endpoint(Timetable timetable, int number) {
        String id = Timetable.id(number);
        Instant created = timetable.slot(number, 1).minus(timetable.interval());
        RunHistory history = RunHistory.initial(created);
        Definition definition = definition(timetable, number);
        Planned planned = planning.plan(id, definition, Steering.NONE, history, created);
        return new Endpoint(
                id, created, definition, Steering.NONE, history, timetable.past() + 1L, planned, Optional.empty());
    }

    private static Definition definition(Timetable timetable, int number) {
        return new Definition(
                Timetable.id(number),
                "",
                timetable.url(number),
                Call.Method.GET,
                Map.of(),
                "",
                Calls.TIMEOUT,
                Optional.empty(),
                new FixedInterval(timetable.interval()),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    @Override
    public void ran(Run run) {
        recorded.incrementAndGet();
        last = Arrival.micros(Instant.now());
    }

    @Override
    public Tally tally() {
        return new Tally(database.counts().statements(), recorded.get(), last);
    }

    @Override
    public void close() {
        worker.close(Duration.ofSeconds(2));
        database.close();
    }
}
