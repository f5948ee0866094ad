package dev.escapement.storage;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.port.ExecutionQueries;
import dev.escapement.engine.port.PageToken;
import dev.escapement.engine.port.Versioned;
import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.storage.jdbc.Backend;
import dev.escapement.storage.jdbc.SearchKey;
import dev.escapement.storage.jdbc.SqlFunction;
import dev.escapement.storage.jdbc.SqlSession;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Queries with keyset pagination, not OFFSET: the last page costs as much as the first. */
record SqlExecutionQueries(Backend backend) implements ExecutionQueries {

    /**
     * A row of a list; one that cannot be read still has a place for the page token.
     *
     * @param key encodes the position of the row
     */
    private record ListedRow<T>(List<String> key, Optional<Versioned<T>> value) {}

    private static final String EXECUTION_LIST_COLUMNS = ExecutionRows.COLUMNS + ", executions.created_at";

    @Override
    public Optional<Versioned<Execution>> findExecution(String namespace, String name) {
        return backend.read(
                () -> "find execution %s/%s".formatted(namespace, name),
                session -> session.first(
                        "SELECT " + ExecutionRows.COLUMNS + " FROM executions WHERE namespace = ? AND name = ?",
                        ExecutionRows::read,
                        SearchKey.of(namespace),
                        SearchKey.of(name)));
    }

    @Override
    public Page<Versioned<Execution>> listExecutions(ExecutionFilter filter, String token, int limit) {
        List<Object> parameters = new ArrayList<>();
        String sql = executions(filter, token, parameters);
        parameters.add(PageToken.queryLimit(limit));
        return readPage(
                "list executions",
                limit,
                session -> session.list(
                        sql,
                        row -> new ListedRow<>(List.of(row.getString(4), row.getString(3)), ExecutionRows.tryRead(row)),
                        parameters.toArray()));
    }

    private <T> Page<Versioned<T>> readPage(String what, int limit, SqlFunction<SqlSession, List<ListedRow<T>>> query) {
        Page<ListedRow<T>> rows = PageToken.toPage(
                backend.read(() -> what, query),
                limit,
                last -> PageToken.encode(last.key().toArray(String[]::new)));
        return new Page<>(
                rows.items().stream()
                        .map(ListedRow::value)
                        .flatMap(Optional::stream)
                        .toList(),
                rows.nextToken());
    }

    static String executions(ExecutionFilter filter, String token, List<Object> parameters) {
        StringBuilder sql = new StringBuilder("SELECT " + EXECUTION_LIST_COLUMNS + " FROM executions WHERE true");
        appendCondition(sql, parameters, "namespace", filter.namespace());
        appendCondition(sql, parameters, "phase", filter.phase());
        appendCondition(sql, parameters, "workflow", filter.workflow());
        appendCondition(sql, parameters, "target", filter.target());
        if (!token.isEmpty()) {
            List<String> parts = PageToken.decode(token, 2);
            sql.append(" AND (created_at, uid) < (?, ?)");
            parameters.add(PageToken.parseNumber(parts.get(0)));
            parameters.add(parts.get(1));
        }
        return sql.append(" ORDER BY created_at DESC, uid DESC LIMIT ?").toString();
    }

    private static void appendCondition(
            StringBuilder sql, List<Object> parameters, String column, Optional<String> wanted) {
        wanted.ifPresent(value -> {
            sql.append(" AND ").append(column).append(" = ?");
            parameters.add(SearchKey.of(value));
        });
    }

    @Override
    public Page<Versioned<LedgerEntry>> listEntries(EntryFilter filter, String token, int limit) {
        String after = token.isEmpty() ? "" : PageToken.decode(token, 1).get(0);
        if (!token.isEmpty() && Target.tryParse(after).isEmpty()) {
            throw PageToken.invalid(new IllegalArgumentException("not a target: " + after));
        }
        return readPage(
                "list ledger entries",
                limit,
                session -> session.list(
                        entries(filter),
                        row -> new ListedRow<>(List.of(row.getString(3)), LedgerRows.tryRead(row)),
                        after,
                        PageToken.queryLimit(limit)));
    }

    static String entries(EntryFilter filter) {
        String condition = switch (filter) {
            case ALL -> "true";
            case HELD -> "holder <> ''";
            case FAILING -> "failing";
        };
        return "SELECT " + LedgerRows.COLUMNS + " FROM ledger WHERE " + condition
                + " AND target > ? ORDER BY target LIMIT ?";
    }

    @Override
    public Optional<Versioned<LedgerEntry>> findEntry(String objectName) {
        return backend.read(
                () -> "find ledger entry " + objectName,
                session -> session.first(
                        "SELECT " + LedgerRows.COLUMNS + " FROM ledger WHERE object_name = ?",
                        LedgerRows::read,
                        SearchKey.of(objectName)));
    }
}
