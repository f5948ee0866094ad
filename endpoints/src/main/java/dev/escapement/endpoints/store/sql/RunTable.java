package dev.escapement.endpoints.store.sql;

import dev.escapement.endpoints.store.EndpointStore.RunFilter;
import dev.escapement.endpoints.store.Run;
import dev.escapement.engine.port.ExecutionQueries.Page;
import dev.escapement.storage.PageToken;
import dev.escapement.storage.jdbc.Backend;
import dev.escapement.storage.jdbc.DocumentJson;
import dev.escapement.storage.jdbc.EpochMicros;
import dev.escapement.storage.jdbc.SearchKey;
import dev.escapement.storage.jdbc.SqlSession;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The history. Every look-up walks an index in its order, so its length does not matter. */
final class RunTable {

    private static final String NEWEST = " ORDER BY ended_at DESC, endpoint DESC, number DESC LIMIT ?";

    /** So many more than were appended are forgotten at once, so that nobody waits long for it. */
    private static final int MORE = 500;

    private final Backend backend;
    private final int keep;
    private final String insert;
    private final String forget;

    RunTable(Backend backend, int keep) {
        this.backend = backend;
        this.keep = keep;
        this.insert = "INSERT INTO runs (" + RunRows.COLUMNS + ") SELECT " + RunRows.COLUMNS + " FROM "
                + backend.dialect().batchSyntax().tableExpression(RunRows.TYPED);
        this.forget = forget(backend);
    }

    static String forget(Backend backend) {
        return "DELETE FROM runs WHERE (endpoint, number) IN (SELECT old.endpoint, old.number FROM "
                + backend.dialect().batchSyntax().tableExpression("r_endpoint text", "r_number bigint")
                + " CROSS JOIN runs AS old WHERE old.endpoint = r_endpoint AND old.number <= r_number LIMIT ?)";
    }

    /**
     * Appends, and forgets of each endpoint those that are now too many: one as a rule, but many after somebody has
     * decided to keep fewer. Then they go a bit at a time, always more than were appended.
     */
    void append(SqlSession session, List<Run> runs) throws SQLException {
        session.update(
                insert, DocumentJson.write(runs.stream().map(RunRows::write).toList()));
        List<Map<String, Object>> tooMany = runs.stream()
                .filter(run -> run.number() > keep)
                .map(run -> Map.<String, Object>of("r_endpoint", run.endpoint(), "r_number", run.number() - keep))
                .toList();
        if (!tooMany.isEmpty()) {
            session.update(forget, DocumentJson.write(tooMany), tooMany.size() + MORE);
        }
    }

    Optional<Run> get(String endpoint, long number) {
        return backend.read(
                () -> "read run %d of endpoint %s".formatted(number, endpoint),
                session -> session.first(
                        "SELECT " + RunRows.COLUMNS + " FROM runs WHERE endpoint = ? AND number = ?",
                        RunRows::read,
                        SearchKey.of(endpoint),
                        number));
    }

    Page<Run> list(RunFilter filter, String token, int limit) {
        List<Object> parameters = new ArrayList<>();
        String sql = filter.endpoint().isPresent()
                ? ofEndpoint(filter, token, limit, parameters)
                : ofAll(filter, token, limit, parameters);
        List<Run> found =
                backend.read(() -> "list runs", session -> session.list(sql, RunRows::read, parameters.toArray()));
        return Parts.page(
                found,
                limit,
                last -> filter.endpoint().isPresent()
                        ? PageToken.encode(Long.toString(last.number()))
                        : PageToken.encode(
                                Long.toString(EpochMicros.of(last.endedAt())),
                                last.endpoint(),
                                Long.toString(last.number())));
    }

    /** The runs of one endpoint end in the order of their numbers, and there are not many of them. */
    static String ofEndpoint(RunFilter filter, String token, int limit, List<Object> parameters) {
        StringBuilder sql = new StringBuilder("SELECT " + RunRows.COLUMNS + " FROM runs WHERE endpoint = ?");
        parameters.add(SearchKey.of(filter.endpoint().orElseThrow()));
        filter.failed().ifPresent(failed -> sql.append(failed ? " AND failed" : " AND NOT failed"));
        if (!token.isEmpty()) {
            sql.append(" AND number < ?");
            parameters.add(Parts.number(PageToken.decode(token, 1).get(0)));
        }
        parameters.add(Parts.oneMoreThan(limit));
        return sql.append(" ORDER BY number DESC LIMIT ?").toString();
    }

    static String ofAll(RunFilter filter, String token, int limit, List<Object> parameters) {
        if (filter.failed().isPresent()) {
            return half(filter.failed().get(), token, limit, parameters);
        }
        String merged = "SELECT " + RunRows.COLUMNS + " FROM (SELECT * FROM (" + half(true, token, limit, parameters)
                + ") AS failures UNION ALL SELECT * FROM (" + half(false, token, limit, parameters)
                + ") AS successes) AS merged" + NEWEST;
        parameters.add(Parts.oneMoreThan(limit));
        return merged;
    }

    private static String half(boolean failed, String token, int limit, List<Object> parameters) {
        StringBuilder sql = new StringBuilder("SELECT " + RunRows.COLUMNS + " FROM runs WHERE failed = ?");
        parameters.add(failed);
        if (!token.isEmpty()) {
            List<String> parts = PageToken.decode(token, 3);
            sql.append(" AND (ended_at, endpoint, number) < (?, ?, ?)");
            parameters.add(Parts.number(parts.get(0)));
            parameters.add(parts.get(1));
            parameters.add(Parts.number(parts.get(2)));
        }
        parameters.add(Parts.oneMoreThan(limit));
        return sql.append(NEWEST).toString();
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
