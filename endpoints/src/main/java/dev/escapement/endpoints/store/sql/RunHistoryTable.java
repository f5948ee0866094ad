package dev.escapement.endpoints.store.sql;

import dev.escapement.common.Json;
import dev.escapement.common.PageToken;
import dev.escapement.endpoints.model.FinishedRun;
import dev.escapement.endpoints.store.EndpointStore.RunFilter;
import dev.escapement.engine.port.ExecutionQueries.Page;
import dev.escapement.storage.jdbc.Backend;
import dev.escapement.storage.jdbc.EpochMicros;
import dev.escapement.storage.jdbc.SearchKey;
import dev.escapement.storage.jdbc.SqlSession;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The table of finished runs. Every query follows an index, so its cost does not grow with the history. */
final class RunHistoryTable {

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
        this.insertSql = "INSERT INTO runs (" + RunRowMapper.COLUMNS + ") SELECT " + RunRowMapper.COLUMNS + " FROM "
                + RunRowMapper.BATCH.table(backend.dialect().batchSyntax());
        this.deleteExcessSql = deleteExcessSql(backend);
    }

    static String deleteExcessSql(Backend backend) {
        return "DELETE FROM runs WHERE (endpoint, number) IN (SELECT old.endpoint, old.number FROM "
                + backend.dialect().batchSyntax().tableExpression("r_endpoint text", "r_number bigint")
                + " CROSS JOIN runs AS old WHERE old.endpoint = r_endpoint AND old.number <= r_number LIMIT ?)";
    }

    /**
     * Appends runs and deletes the excess runs of their endpoints. After the limit was reduced these may be many; then
     * they are deleted in batches, always more than are appended.
     */
    void append(SqlSession session, List<FinishedRun> runs) throws SQLException {
        session.update(insertSql, RunRowMapper.BATCH.toJson(runs));
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
                        "SELECT " + RunRowMapper.COLUMNS + " FROM runs WHERE endpoint = ? AND number = ?",
                        RunRowMapper::read,
                        SearchKey.of(endpointId),
                        number));
    }

    Page<FinishedRun> list(RunFilter filter, String token, int limit) {
        List<Object> parameters = new ArrayList<>();
        String sql = filter.endpointId().isPresent()
                ? endpointRunsSql(filter, token, limit, parameters)
                : allRunsSql(filter, token, limit, parameters);
        List<FinishedRun> found =
                backend.read(() -> "list runs", session -> session.list(sql, RunRowMapper::read, parameters.toArray()));
        return SqlPages.toPage(
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
        StringBuilder sql = new StringBuilder("SELECT " + RunRowMapper.COLUMNS + " FROM runs WHERE endpoint = ?");
        parameters.add(SearchKey.of(filter.endpointId().orElseThrow()));
        filter.failed().ifPresent(failed -> sql.append(failed ? " AND failed" : " AND NOT failed"));
        if (!token.isEmpty()) {
            sql.append(" AND number < ?");
            parameters.add(SqlPages.parseNumber(PageToken.decode(token, 1).get(0)));
        }
        parameters.add(SqlPages.limitPlusOne(limit));
        return sql.append(" ORDER BY number DESC LIMIT ?").toString();
    }

    static String allRunsSql(RunFilter filter, String token, int limit, List<Object> parameters) {
        if (filter.failed().isPresent()) {
            return runsByOutcomeSql(filter.failed().get(), token, limit, parameters);
        }
        String merged = "SELECT " + RunRowMapper.COLUMNS + " FROM (SELECT * FROM ("
                + runsByOutcomeSql(true, token, limit, parameters)
                + ") AS failures UNION ALL SELECT * FROM (" + runsByOutcomeSql(false, token, limit, parameters)
                + ") AS successes) AS merged" + NEWEST_FIRST;
        parameters.add(SqlPages.limitPlusOne(limit));
        return merged;
    }

    private static String runsByOutcomeSql(boolean failed, String token, int limit, List<Object> parameters) {
        StringBuilder sql = new StringBuilder("SELECT " + RunRowMapper.COLUMNS + " FROM runs WHERE failed = ?");
        parameters.add(failed);
        if (!token.isEmpty()) {
            List<String> parts = PageToken.decode(token, 3);
            sql.append(" AND (ended_at, endpoint, number) < (?, ?, ?)");
            parameters.add(SqlPages.parseNumber(parts.get(0)));
            parameters.add(parts.get(1));
            parameters.add(SqlPages.parseNumber(parts.get(2)));
        }
        parameters.add(SqlPages.limitPlusOne(limit));
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
}
