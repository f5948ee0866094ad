package dev.escapement.endpoints.store.sql;

import dev.escapement.endpoints.model.FinishedRun;
import dev.escapement.endpoints.model.RemediationAttempt;
import dev.escapement.endpoints.model.StoredEndpoint;
import dev.escapement.endpoints.store.ClaimRequest;
import dev.escapement.endpoints.store.EndpointBacklog;
import dev.escapement.endpoints.store.EndpointChange;
import dev.escapement.endpoints.store.EndpointClaim;
import dev.escapement.endpoints.store.EndpointStore;
import dev.escapement.endpoints.store.NextDue;
import dev.escapement.endpoints.store.RecordOutcome;
import dev.escapement.endpoints.store.RunResult;
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

/** An {@link EndpointStore} in SQLite or PostgreSQL. */
public final class SqlEndpointStore implements EndpointStore {

    private final Backend backend;
    private final DatabaseClock clock;
    private final EndpointQueries queries;
    private final EndpointWrites endpointWrites;
    private final EndpointLeases leases;
    private final SqlRunRecorder recorder;
    private final RunHistoryTable runs;
    private final SqlRemediations remediations;

    private SqlEndpointStore(Backend backend, int keepRuns, String nowSql, LongSupplier ticker) {
        this.backend = backend;
        long micros = backend.read(
                () -> "read the time",
                session ->
                        session.first("SELECT " + nowSql, row -> row.getLong(1)).orElseThrow());
        this.clock = new DatabaseClock(micros, ticker);
        EndpointRowMapper rows = new EndpointRowMapper();
        this.queries = new EndpointQueries(backend, rows, nowSql);
        this.endpointWrites = new EndpointWrites(backend, rows);
        this.leases = new EndpointLeases(backend, rows, nowSql, clock);
        this.runs = new RunHistoryTable(backend, keepRuns);
        this.recorder = new SqlRunRecorder(backend, runs);
        this.remediations = new SqlRemediations(backend, rows, nowSql);
    }

    /**
     * Opens the store of a database and uses its clock.
     *
     * @param keepRunsPerEndpoint maximum number of runs to keep of each endpoint, at least 1
     */
    public static SqlEndpointStore open(Database database, int keepRunsPerEndpoint) {
        return open(database, keepRunsPerEndpoint, database.backend().dialect().nowMicros(), System::nanoTime);
    }

    /** Opens a store with another clock than the database's. */
    static SqlEndpointStore open(Database database, int keepRunsPerEndpoint, String nowSql, LongSupplier ticker) {
        if (keepRunsPerEndpoint < 1) {
            throw new IllegalArgumentException(
                    "the number of runs to keep of each endpoint is %d: it must be at least 1"
                            .formatted(keepRunsPerEndpoint));
        }
        return new SqlEndpointStore(database.backend(), keepRunsPerEndpoint, nowSql, ticker);
    }

    @Override
    public InstantSource clock() {
        return clock;
    }

    @Override
    public Optional<StoredEndpoint> findByName(String name) {
        return queries.findByName(name);
    }

    @Override
    public Optional<StoredEndpoint> get(String id) {
        return queries.get(id);
    }

    @Override
    public Map<String, StoredEndpoint> findByName(Collection<String> names) {
        return queries.findByName(names);
    }

    @Override
    public boolean apply(List<EndpointChange> changes) {
        boolean applied = changes.isEmpty() || endpointWrites.apply(changes);
        if (applied) {
            backend.publish(ChangeTopic.ENDPOINTS);
        }
        return applied;
    }

    @Override
    public boolean apply(Collection<String> names, Function<Map<String, StoredEndpoint>, List<EndpointChange>> edit) {
        OptionalInt applied = endpointWrites.apply(names, edit);
        if (applied.orElse(0) > 0) {
            backend.publish(ChangeTopic.ENDPOINTS);
        }
        return applied.isPresent();
    }

    @Override
    public Optional<String> archive(String name) {
        return endpointWrites.archive(name);
    }

    @Override
    public Page<StoredEndpoint> listEndpoints(EndpointFilter filter, String token, int limit) {
        return queries.list(filter, token, limit);
    }

    @Override
    public Page<FinishedRun> listRuns(RunFilter filter, String token, int limit) {
        return runs.list(filter, token, limit);
    }

    @Override
    public Optional<FinishedRun> getRun(String endpointId, long number) {
        return runs.get(endpointId, number);
    }

    @Override
    public EndpointBacklog backlog() {
        return queries.backlog();
    }

    @Override
    public List<EndpointClaim> claim(ClaimRequest request) {
        return leases.claim(request);
    }

    @Override
    public Set<String> dueHosts(Set<String> hosts) {
        return leases.dueHosts(hosts);
    }

    @Override
    public NextDue nextDue(Set<String> exceptHosts) {
        return leases.nextDue(exceptHosts);
    }

    @Override
    public List<RecordOutcome> record(List<RunResult> results) {
        return recorder.record(results);
    }

    @Override
    public Map<String, Instant> renew(Collection<EndpointClaim> claims, Duration margin) {
        return leases.renew(claims, margin);
    }

    @Override
    public void release(Collection<EndpointClaim> claims) {
        if (leases.release(claims)) {
            backend.publish(ChangeTopic.ENDPOINTS);
        }
    }

    @Override
    public List<StoredEndpoint> claimDueRemediations(int limit) {
        return remediations.claimDue(limit);
    }

    @Override
    public void recordRemediation(String endpointId, RemediationAttempt attempt) {
        remediations.recordAttempt(endpointId, attempt);
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
