package dev.escapement.endpoints.store;

import static dev.escapement.endpoints.store.TimeColumns.toInstant;

import dev.escapement.common.Json;
import dev.escapement.common.SafeText;
import dev.escapement.endpoints.http.CallResult;
import dev.escapement.endpoints.model.FinishedRun;
import dev.escapement.endpoints.store.EndpointStore.RunFilter;
import dev.escapement.engine.port.ExecutionQueries.Page;
import dev.escapement.engine.port.PageToken;
import dev.escapement.storage.jdbc.Backend;
import dev.escapement.storage.jdbc.EpochMicros;
import dev.escapement.storage.jdbc.SearchKey;
import dev.escapement.storage.jdbc.SqlSession;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The table of finished runs. Every query follows an index, so its cost does not grow with the history. */
final class RunHistoryTable {

    private static final int NO_STATUS = -1;

    /** All columns, in the order of the table. */
    static final BatchColumns<FinishedRun> BATCH = new BatchColumns<FinishedRun>()
            .with("endpoint", "text", FinishedRun::endpointId)
            .with("number", "bigint", FinishedRun::number)
            .with("name", "text", run -> SafeText.storable(run.endpointName()))
            .with("attempt", "integer", FinishedRun::attempt)
            .with("slot", "bigint", run -> EpochMicros.of(run.slot()))
            .with("due_at", "bigint", run -> EpochMicros.of(run.dueAt()))
            .with("started_at", "bigint", run -> EpochMicros.of(run.startedAt()))
            .with("ended_at", "bigint", run -> EpochMicros.of(run.endedAt()))
            .with("worker", "text", run -> SafeText.storable(run.workerName()))
            .with("source", "text", run -> SafeText.storable(run.source()))
            .with("story", "text", run -> SafeText.storable(run.planJson()))
            .with("failures_before", "integer", FinishedRun::failuresBefore)
            .with("failures_after", "integer", FinishedRun::failuresAfter)
            .with("missed", "bigint", FinishedRun::missed)
            .with("missed_reason", "text", run -> SafeText.storable(run.missedReason()))
            .with("failed", "boolean", run -> !run.callResult().isSuccess())
            .with(
                    "failure",
                    "text",
                    run -> run.callResult().failure().map(Enum::name).orElse(""))
            .with("status", "integer", run -> run.callResult().statusCode().orElse(NO_STATUS))
            .with("error", "text", run -> SafeText.storable(run.callResult().error()))
            .with("excerpt", "text", run -> SafeText.storable(run.callResult().excerpt()))
            .with("bytes", "bigint", run -> run.callResult().bodyBytes())
            .with(
                    "retry_after",
                    "bigint",
                    run -> TimeColumns.fromDuration(run.callResult().retryAfter()));

    static final String COLUMNS = String.join(", ", BATCH.names());

    private static final String NEWEST_FIRST = " ORDER BY ended_at DESC, endpoint DESC, number DESC LIMIT ?";

    /** Limits how many runs one append deletes beyond those that it adds. */
    private static final int MAX_EXTRA_DELETES = 500;

    private final Backend backend;
    private final int maxRunsPerEndpoint;
    private final String insertSql;
    private final String deleteExcessSql;

    RunHistoryTable(Backend backend, int maxRunsPerEndpoint) {
        this.backend = backend;
        this.maxRunsPerEndpoint = maxRunsPerEndpoint;
        this.insertSql =
                "INSERT INTO runs (" + COLUMNS + ") SELECT " + COLUMNS + " FROM " + BATCH.table(backend.dialect());
        this.deleteExcessSql = deleteExcessSql(backend);
    }

    static String deleteExcessSql(Backend backend) {
        return "DELETE FROM runs WHERE (endpoint, number) IN (SELECT old.endpoint, old.number FROM "
                + backend.dialect().batchTable().apply(List.of("r_endpoint text", "r_number bigint"))
                + " CROSS JOIN runs AS old WHERE old.endpoint = r_endpoint AND old.number <= r_number LIMIT ?)";
    }

    /**
     * Appends runs and deletes the excess runs of their endpoints. After the limit was reduced these may be many; then
     * they are deleted in batches, always more than are appended.
     */
    void append(SqlSession session, List<FinishedRun> runs) throws SQLException {
        session.update(insertSql, BATCH.toJson(runs));
        List<Map<String, Object>> excess = runs.stream()
                .filter(run -> run.number() > maxRunsPerEndpoint)
                .map(run -> Map.<String, Object>of(
                        "r_endpoint", run.endpointId(), "r_number", run.number() - maxRunsPerEndpoint))
                .toList();
        if (!excess.isEmpty()) {
            session.update(deleteExcessSql, Json.write(excess), excess.size() + MAX_EXTRA_DELETES);
        }
    }

    Optional<FinishedRun> get(String endpointId, long number) {
        return backend.read(
                () -> "read run %d of endpoint %s".formatted(number, endpointId),
                session -> session.first(
                        "SELECT " + COLUMNS + " FROM runs WHERE endpoint = ? AND number = ?",
                        RunHistoryTable::read,
                        SearchKey.of(endpointId),
                        number));
    }

    Page<FinishedRun> list(RunFilter filter, String token, int limit) {
        List<Object> parameters = new ArrayList<>();
        String sql = filter.endpointId().isPresent()
                ? endpointRunsSql(filter, token, limit, parameters)
                : allRunsSql(filter, token, limit, parameters);
        List<FinishedRun> found = backend.read(
                () -> "list runs", session -> session.list(sql, RunHistoryTable::read, parameters.toArray()));
        return PageToken.toPage(
                found,
                limit,
                last -> filter.endpointId().isPresent()
                        ? PageToken.encode(Long.toString(last.number()))
                        : PageToken.encode(
                                Long.toString(EpochMicros.of(last.endedAt())),
                                last.endpointId(),
                                Long.toString(last.number())));
    }

    /** Orders by number, which is the order in which the runs of one endpoint end. */
    static String endpointRunsSql(RunFilter filter, String token, int limit, List<Object> parameters) {
        StringBuilder sql = new StringBuilder("SELECT " + COLUMNS + " FROM runs WHERE endpoint = ?");
        parameters.add(SearchKey.of(filter.endpointId().orElseThrow()));
        filter.failed().ifPresent(failed -> sql.append(failed ? " AND failed" : " AND NOT failed"));
        if (!token.isEmpty()) {
            sql.append(" AND number < ?");
            parameters.add(PageToken.parseNumber(PageToken.decode(token, 1).get(0)));
        }
        parameters.add(PageToken.queryLimit(limit));
        return sql.append(" ORDER BY number DESC LIMIT ?").toString();
    }

    static String allRunsSql(RunFilter filter, String token, int limit, List<Object> parameters) {
        if (filter.failed().isPresent()) {
            return runsByOutcomeSql(filter.failed().get(), token, limit, parameters);
        }
        String merged = "SELECT " + COLUMNS + " FROM (SELECT * FROM ("
                + runsByOutcomeSql(true, token, limit, parameters)
                + ") AS failures UNION ALL SELECT * FROM (" + runsByOutcomeSql(false, token, limit, parameters)
                + ") AS successes) AS merged" + NEWEST_FIRST;
        parameters.add(PageToken.queryLimit(limit));
        return merged;
    }

    private static String runsByOutcomeSql(boolean failed, String token, int limit, List<Object> parameters) {
        StringBuilder sql = new StringBuilder("SELECT " + COLUMNS + " FROM runs WHERE failed = ?");
        parameters.add(failed);
        if (!token.isEmpty()) {
            List<String> parts = PageToken.decode(token, 3);
            sql.append(" AND (ended_at, endpoint, number) < (?, ?, ?)");
            parameters.add(PageToken.parseNumber(parts.get(0)));
            parameters.add(parts.get(1));
            parameters.add(PageToken.parseNumber(parts.get(2)));
        }
        parameters.add(PageToken.queryLimit(limit));
        return sql.append(NEWEST_FIRST).toString();
    }

    int prune(Instant before, int limit) {
        return backend.write(() -> "remove runs that ended before " + before, session -> {
                    int removed = prune(session, false, before, limit);
                    removed += removed < limit ? prune(session, true, before, limit - removed) : 0;
                    return removed > 0 ? Optional.of(removed) : Optional.empty();
                })
                .orElse(0);
    }

    private static int prune(SqlSession session, boolean failed, Instant before, int limit) throws SQLException {
        return session.update(
                "DELETE FROM runs WHERE (endpoint, number) IN (SELECT endpoint, number FROM runs"
                        + " WHERE failed = ? AND ended_at < ? ORDER BY ended_at, endpoint, number LIMIT ?)",
                failed,
                EpochMicros.of(before),
                limit);
    }

    static FinishedRun read(ResultSet row) throws SQLException {
        return new FinishedRun(
                row.getString("endpoint"),
                row.getString("name"),
                row.getLong("number"),
                row.getInt("attempt"),
                toInstant(row.getLong("slot")),
                toInstant(row.getLong("due_at")),
                toInstant(row.getLong("started_at")),
                toInstant(row.getLong("ended_at")),
                row.getString("worker"),
                row.getString("source"),
                row.getString("story"),
                row.getInt("failures_before"),
                row.getInt("failures_after"),
                readCallResult(row),
                row.getLong("missed"),
                row.getString("missed_reason"));
    }

    private static CallResult readCallResult(ResultSet row) throws SQLException {
        String failure = row.getString("failure");
        int status = row.getInt("status");
        return new CallResult(
                failure.isEmpty() ? Optional.empty() : Optional.of(CallResult.Failure.valueOf(failure)),
                status == NO_STATUS ? Optional.empty() : Optional.of(status),
                row.getString("error"),
                row.getString("excerpt"),
                row.getLong("bytes"),
                TimeColumns.toDuration(row.getLong("retry_after")));
    }
}
