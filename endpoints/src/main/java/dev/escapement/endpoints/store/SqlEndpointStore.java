package dev.escapement.endpoints.store;

import dev.escapement.common.SafeText;
import dev.escapement.endpoints.model.FinishedRun;
import dev.escapement.endpoints.model.RemediationAttempt;
import dev.escapement.endpoints.model.StoredEndpoint;
import dev.escapement.engine.port.ExecutionQueries.Page;
import dev.escapement.engine.port.Journal;
import dev.escapement.engine.port.PageToken;
import dev.escapement.storage.Database;
import dev.escapement.storage.jdbc.Backend;
import dev.escapement.storage.jdbc.Backend.ChangeTopic;
import dev.escapement.storage.jdbc.Dialect;
import dev.escapement.storage.jdbc.SearchKey;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongSupplier;

/** An {@link EndpointStore} in SQLite or PostgreSQL. */
public final class SqlEndpointStore implements EndpointStore {

    /** An endpoint in a list; an unreadable one still has a place for the page token. */
    private record ListedEndpoint(String name, String id, Optional<StoredEndpoint> stored) {}

    /** How long a due remediation is reserved for the caller that claimed it. */
    private static final Duration REMEDIATION_CLAIM = Duration.ofSeconds(30);

    private static final String CLEAR_REMEDIATION_SQL = "UPDATE endpoints SET"
            + " remedy_due = CASE WHEN remedy_due <= ? THEN 0 ELSE remedy_due END, version = version + 1 WHERE id = ?";

    private static final String RECORD_REMEDIATION_SQL = "UPDATE endpoints SET remedy = ?, remedy_run = ?,"
            + " remedy_requested = ?, remedy_due = CASE WHEN remedy_due <= ? THEN 0 ELSE remedy_due END,"
            + " version = version + 1 WHERE id = ?"
            + " AND (remedy_run < ? OR (remedy_run = ? AND (? OR NOT remedy_requested)))";

    private final Backend backend;
    private final DatabaseClock clock;
    private final EndpointRowMapper rows = new EndpointRowMapper();
    private final String nowSql;
    private final EndpointWrites endpointWrites;
    private final EndpointLeases leases;
    private final SqlRunRecorder recorder;
    private final RunHistoryTable runs;

    /** Opens a store with another clock than the database's. */
    SqlEndpointStore(Database database, int keepRunsPerEndpoint, String nowSql, LongSupplier ticker) {
        if (keepRunsPerEndpoint < 1) {
            throw new IllegalArgumentException(
                    "the number of runs to keep of each endpoint is %d: it must be at least 1"
                            .formatted(keepRunsPerEndpoint));
        }
        this.backend = database.backend();
        this.nowSql = nowSql;
        long micros = backend.read(
                () -> "read the time",
                session ->
                        session.first("SELECT " + nowSql, row -> row.getLong(1)).orElseThrow());
        this.clock = new DatabaseClock(micros, ticker);
        this.endpointWrites = new EndpointWrites(backend, rows);
        this.leases = new EndpointLeases(backend, rows, nowSql, clock);
        this.runs = new RunHistoryTable(backend, keepRunsPerEndpoint);
        this.recorder = new SqlRunRecorder(backend, runs);
    }

    /**
     * Opens the store of a database and uses its clock.
     *
     * @param keepRunsPerEndpoint maximum number of runs to keep of each endpoint, at least 1
     */
    public static SqlEndpointStore open(Database database, int keepRunsPerEndpoint) {
        return new SqlEndpointStore(
                database, keepRunsPerEndpoint, database.backend().dialect().nowMicros(), System::nanoTime);
    }

    @Override
    public InstantSource clock() {
        return clock;
    }

    @Override
    public int clockSetBackCount() {
        return clock.setBackCount();
    }

    @Override
    public Optional<StoredEndpoint> findByName(String name) {
        return find(" WHERE name = ? AND NOT archived", name);
    }

    @Override
    public Optional<StoredEndpoint> get(String id) {
        return find(" WHERE id = ?", id);
    }

    private Optional<StoredEndpoint> find(String condition, String key) {
        String sql = EndpointRowMapper.SELECT + condition;
        return backend.read(
                () -> "find endpoint " + key, session -> session.first(sql, rows::readStored, SearchKey.of(key)));
    }

    @Override
    public Map<String, StoredEndpoint> findByName(Collection<String> names) {
        String sql = EndpointRowMapper.selectByNamesSql(backend.dialect());
        String batch = EndpointRowMapper.NAMES.toJson(names);
        List<StoredEndpoint> found = names.isEmpty()
                ? List.of()
                : backend.read(() -> "find endpoints", session -> session.list(sql, rows::readStored, batch));
        return EndpointRowMapper.byName(found);
    }

    @Override
    public boolean apply(List<EndpointChange> changes) {
        return endpointWrites.apply(changes);
    }

    @Override
    public boolean apply(Collection<String> names, Function<Map<String, StoredEndpoint>, List<EndpointChange>> edit) {
        return endpointWrites.apply(names, edit);
    }

    @Override
    public Optional<String> archive(String name) {
        return endpointWrites.archive(name);
    }

    @Override
    public Page<StoredEndpoint> listEndpoints(EndpointFilter filter, String token, int limit) {
        List<Object> parameters = new ArrayList<>();
        if (!token.isEmpty()) {
            parameters.addAll(PageToken.decode(token, 2));
        }
        String sql = EndpointRowMapper.SELECT + " WHERE " + condition(filter)
                + (token.isEmpty() ? "" : " AND (name, id) > (?, ?)") + " ORDER BY name, id LIMIT ?";
        parameters.add(PageToken.queryLimit(limit));
        List<ListedEndpoint> found = backend.read(
                () -> "list endpoints", session -> session.list(sql, this::readListed, parameters.toArray()));
        Page<ListedEndpoint> page = PageToken.toPage(found, limit, last -> PageToken.encode(last.name(), last.id()));
        return new Page<>(
                page.items().stream().flatMap(each -> each.stored().stream()).toList(), page.nextToken());
    }

    private ListedEndpoint readListed(ResultSet row) throws SQLException {
        return new ListedEndpoint(row.getString("name"), row.getString("id"), rows.tryReadStored(row));
    }

    private String condition(EndpointFilter filter) {
        return switch (filter) {
            case ALL -> "NOT archived";
            case FAILING -> "NOT archived AND failures > 0";
            case PAUSED -> "NOT archived AND paused_until > 0 AND paused_until > " + nowSql;
            case RUNNING -> "NOT archived AND lease_until > " + nowSql;
            case ARCHIVED -> "archived";
        };
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
        String sql = "WITH moment AS MATERIALIZED (SELECT " + nowSql + " AS at_micros) SELECT count(*),"
                + " coalesce(sum(CASE WHEN claimable_at <= at_micros THEN 1 ELSE 0 END), 0),"
                + " coalesce(sum(CASE WHEN lease_until > at_micros THEN 1 ELSE 0 END), 0)"
                + " FROM endpoints, moment WHERE NOT archived";
        return backend.read(
                () -> "count endpoints",
                session -> session.first(
                                sql, row -> new EndpointBacklog(row.getLong(1), row.getLong(2), row.getLong(3)))
                        .orElseThrow());
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
        leases.release(claims);
    }

    static String claimDueRemediationsSql(Dialect dialect, String nowSql) {
        String moment = "(SELECT at_micros FROM moment)";
        return "WITH moment AS MATERIALIZED (SELECT " + nowSql + " AS at_micros), due AS MATERIALIZED"
                + " (SELECT id AS due_id FROM endpoints WHERE remedy_due > 0 AND NOT archived AND remedy_seen <= "
                + moment + " - " + TimeColumns.toMicros(REMEDIATION_CLAIM) + " ORDER BY remedy_seen LIMIT ?"
                + dialect.skipLocked()
                + ") UPDATE endpoints SET remedy_seen = " + moment + " FROM due WHERE id = due_id RETURNING "
                + EndpointRowMapper.COLUMNS;
    }

    @Override
    public List<StoredEndpoint> claimDueRemediations(int limit) {
        String sql = claimDueRemediationsSql(backend.dialect(), nowSql);
        return backend
                .write(() -> "claim due remediations", session -> {
                    List<Optional<StoredEndpoint>> found = session.list(sql, rows::tryReadStored, limit);
                    return found.isEmpty() ? Optional.empty() : Optional.of(found);
                })
                .orElse(List.of())
                .stream()
                .flatMap(Optional::stream)
                .toList();
    }

    @Override
    public void recordRemediation(String endpointId, RemediationAttempt attempt) {
        String document = SafeText.storable(EndpointRowMapper.toJson(attempt));
        String id = SearchKey.of(endpointId);
        long run = attempt.runNumber();
        boolean requested = attempt.isRequested();
        backend.write(() -> "record the remediation of endpoint " + endpointId, session -> {
            int written =
                    session.update(RECORD_REMEDIATION_SQL, document, run, requested, run, id, run, run, requested);
            // A better result is already recorded; clear only the due flag.
            return Optional.of(written > 0 ? written : session.update(CLEAR_REMEDIATION_SQL, run, id));
        });
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
