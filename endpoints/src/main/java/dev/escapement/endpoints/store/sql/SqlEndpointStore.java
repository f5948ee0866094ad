package dev.escapement.endpoints.store.sql;

import dev.escapement.endpoints.Remedy;
import dev.escapement.endpoints.store.Backlog;
import dev.escapement.endpoints.store.Claim;
import dev.escapement.endpoints.store.Demand;
import dev.escapement.endpoints.store.Due;
import dev.escapement.endpoints.store.EndpointStore;
import dev.escapement.endpoints.store.Result;
import dev.escapement.endpoints.store.Run;
import dev.escapement.endpoints.store.Stored;
import dev.escapement.endpoints.store.Verdict;
import dev.escapement.endpoints.store.Write;
import dev.escapement.engine.port.ExecutionQueries.Page;
import dev.escapement.engine.port.Journal;
import dev.escapement.storage.Database;
import dev.escapement.storage.jdbc.Backend;
import dev.escapement.storage.jdbc.ChangeTopic;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongSupplier;

/** Endpoints and runs in a database, SQLite or PostgreSQL. */
public final class SqlEndpointStore implements EndpointStore {

    private final Backend backend;
    private final StoreClock clock;
    private final PeopleSide people;
    private final Changes changes;
    private final Leases leases;
    private final Recorder recorder;
    private final RunTable runs;
    private final Remedies remedies;

    private SqlEndpointStore(Backend backend, int keepRuns, String now, LongSupplier nanos) {
        this.backend = backend;
        long micros = backend.read(
                () -> "ask for the time",
                session -> session.first("SELECT " + now, row -> row.getLong(1)).orElseThrow());
        this.clock = new StoreClock(micros, nanos);
        EndpointRows rows = new EndpointRows();
        this.people = new PeopleSide(backend, rows, now);
        this.changes = new Changes(backend, rows);
        this.leases = new Leases(backend, rows, now, clock);
        this.runs = new RunTable(backend, keepRuns);
        this.recorder = new Recorder(backend, runs);
        this.remedies = new Remedies(backend, rows, now);
    }

    /**
     * The endpoints in this database, which it asks for its time.
     *
     * @param keepRunsPerEndpoint at most so many runs are kept of each endpoint, at least 1
     */
    public static SqlEndpointStore on(Database database, int keepRunsPerEndpoint) {
        return on(database, keepRunsPerEndpoint, database.backend().dialect().nowMicros(), System::nanoTime);
    }

    /** The same with another time than the database's. */
    static SqlEndpointStore on(Database database, int keepRunsPerEndpoint, String now, LongSupplier nanos) {
        if (keepRunsPerEndpoint < 1) {
            throw new IllegalArgumentException(
                    "the number of runs to keep of each endpoint is %d: it must be at least 1"
                            .formatted(keepRunsPerEndpoint));
        }
        return new SqlEndpointStore(database.backend(), keepRunsPerEndpoint, now, nanos);
    }

    @Override
    public InstantSource clock() {
        return clock;
    }

    @Override
    public Optional<Stored> named(String name) {
        return people.named(name);
    }

    @Override
    public Optional<Stored> get(String id) {
        return people.get(id);
    }

    @Override
    public Map<String, Stored> named(Collection<String> names) {
        return people.named(names);
    }

    @Override
    public boolean apply(List<Write> writes) {
        boolean made = writes.isEmpty() || changes.apply(writes);
        if (made) {
            backend.publish(ChangeTopic.ENDPOINTS);
        }
        return made;
    }

    @Override
    public boolean apply(Collection<String> names, Function<Map<String, Stored>, List<Write>> what) {
        OptionalInt made = changes.apply(names, what);
        if (made.orElse(0) > 0) {
            backend.publish(ChangeTopic.ENDPOINTS);
        }
        return made.isPresent();
    }

    @Override
    public Optional<String> archive(String name) {
        return changes.archive(name);
    }

    @Override
    public Page<Stored> endpoints(EndpointFilter filter, String token, int limit) {
        return people.list(filter, token, limit);
    }

    @Override
    public Page<Run> runs(RunFilter filter, String token, int limit) {
        return runs.list(filter, token, limit);
    }

    @Override
    public Optional<Run> run(String endpoint, long number) {
        return runs.get(endpoint, number);
    }

    @Override
    public Backlog backlog() {
        return people.backlog();
    }

    @Override
    public List<Claim> claim(Demand demand) {
        return leases.claim(demand);
    }

    @Override
    public Set<String> due(Set<String> hosts) {
        return leases.due(hosts);
    }

    @Override
    public Due nextDue(Set<String> exceptHosts) {
        return leases.nextDue(exceptHosts);
    }

    @Override
    public List<Verdict> record(List<Result> results) {
        return recorder.record(results);
    }

    @Override
    public Map<String, Instant> renew(Collection<Claim> claims, Duration margin) {
        return leases.renew(claims, margin);
    }

    @Override
    public void release(Collection<Claim> claims) {
        if (leases.release(claims)) {
            backend.publish(ChangeTopic.ENDPOINTS);
        }
    }

    @Override
    public List<Stored> remediesDue(int limit) {
        return remedies.due(limit);
    }

    @Override
    public void settle(String endpoint, Remedy remedy) {
        remedies.settle(endpoint, remedy);
    }

    @Override
    public int prune(Instant before, int limit) {
        return runs.prune(before, limit);
    }

    @Override
    public Journal.Subscription onChange(Runnable callback) {
        return backend.subscribe(ChangeTopic.ENDPOINTS, callback);
    }
}
