package dev.escapement.storage;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.port.ExecutionQueries;
import dev.escapement.engine.port.PageToken;
import dev.escapement.engine.port.Versioned;
import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.storage.jdbc.Backend;
import dev.escapement.storage.jdbc.EpochMicros;
import dev.escapement.storage.jdbc.SearchKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Queries with keyset pagination, not OFFSET: the last page costs as much as the first. */
record SqlExecutionQueries(Backend backend) implements ExecutionQueries {

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
        List<Versioned<Execution>> found = backend.read(
                () -> "list executions", session -> session.list(sql, ExecutionRows::read, parameters.toArray()));
        return PageToken.toPage(found, limit, SqlExecutionQueries::pageToken);
    }

    private static String pageToken(Versioned<Execution> last) {
        String createdAt = Long.toString(EpochMicros.of(last.value().createdAt()));
        return PageToken.encode(createdAt, last.value().ref().uid());
    }

    static String executions(ExecutionFilter filter, String token, List<Object> parameters) {
        StringBuilder sql = new StringBuilder("SELECT " + ExecutionRows.COLUMNS + " FROM executions WHERE true");
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
        List<Versioned<LedgerEntry>> found = backend.read(
                () -> "list ledger entries",
                session -> session.list(entries(filter), LedgerRows::read, after, PageToken.queryLimit(limit)));
        return PageToken.toPage(
                found, limit, last -> PageToken.encode(last.value().target().canonical()));
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
