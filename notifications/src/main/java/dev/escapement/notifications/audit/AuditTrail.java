package dev.escapement.notifications.audit;

import dev.escapement.engine.port.ExecutionQueries.Page;
import dev.escapement.engine.port.PageToken;
import dev.escapement.storage.jdbc.Backend;
import dev.escapement.storage.jdbc.EpochMicros;
import dev.escapement.storage.jdbc.SearchKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads the audit trail. Thread-safe. */
public record AuditTrail(Backend backend) {

    /**
     * Which entries to list; empty for all.
     *
     * @param execution namespace and name
     * @param since inclusive
     * @param until exclusive
     */
    public record AuditFilter(
            Optional<String> target,
            Optional<String> execution,
            Optional<String> type,
            Optional<String> actor,
            Optional<Instant> since,
            Optional<Instant> until) {

        public static final AuditFilter ALL = new AuditFilter(
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    /** A query and its parameters. */
    record Query(String sql, List<Object> parameters) {}

    /**
     * Lists entries, newest first.
     *
     * @param token of the previous page; empty for the first one
     * @throws IllegalArgumentException if the token is invalid
     */
    public Page<ChainEntry> list(AuditFilter filter, String token, int limit) {
        Query query = listQuery(filter, token, limit);
        List<ChainEntry> found = backend.read(
                () -> "list the audit trail",
                session -> session.list(
                        query.sql(), AuditTable::readEntry, query.parameters().toArray()));
        return PageToken.toPage(found, limit, entry -> PageToken.encode(Long.toString(entry.sequence())));
    }

    static Query listQuery(AuditFilter filter, String token, int limit) {
        StringBuilder sql = new StringBuilder("SELECT " + AuditTable.COLUMNS + " FROM audit WHERE sequence < ?");
        List<Object> parameters = new ArrayList<>();
        parameters.add(
                token.isEmpty()
                        ? Long.MAX_VALUE
                        : PageToken.parseNumber(PageToken.decode(token, 1).get(0)));
        addText(sql, parameters, "target", filter.target());
        addText(sql, parameters, "execution", filter.execution());
        addText(sql, parameters, "type", filter.type());
        addText(sql, parameters, "actor", filter.actor());
        filter.since().ifPresent(since -> {
            sql.append(" AND occurred_at >= ?");
            parameters.add(EpochMicros.of(since));
        });
        filter.until().ifPresent(until -> {
            sql.append(" AND occurred_at < ?");
            parameters.add(EpochMicros.of(until));
        });
        sql.append(" ORDER BY sequence DESC LIMIT ?");
        parameters.add(PageToken.queryLimit(limit));
        return new Query(sql.toString(), parameters);
    }

    private static void addText(StringBuilder sql, List<Object> parameters, String column, Optional<String> value) {
        value.ifPresent(text -> {
            // The second condition lets the database use an index of the rows that have a value.
            sql.append(" AND ")
                    .append(column)
                    .append(" = ? AND ")
                    .append(column)
                    .append(" <> ''");
            parameters.add(SearchKey.of(text));
        });
    }

    /** Returns the oldest entry with that record id. */
    public Optional<ChainEntry> find(String id) {
        return backend.read(
                () -> "read audit record " + id,
                session -> session.first(
                        "SELECT " + AuditTable.COLUMNS + " FROM audit WHERE id = ? ORDER BY sequence LIMIT 1",
                        AuditTable::readEntry,
                        SearchKey.of(id)));
    }

    /** Reads the entries after a sequence number, oldest first. */
    public List<ChainEntry> read(long after, int limit) {
        return backend.read(
                () -> "read the audit trail after entry " + after,
                session -> session.list(AuditTable.READ_AFTER_SQL, AuditTable::readEntry, after, limit));
    }

    /** Reads the entries after a sequence number with the columns by which they are found, oldest first. */
    List<IndexedEntry> readIndexed(long after, int limit) {
        return backend.read(
                () -> "verify the audit trail after entry " + after,
                session -> AuditTable.readIndexed(session, after, limit));
    }

    public ChainHead head() {
        return backend.read(() -> "read the head of the audit trail", AuditTable::readHead);
    }
}
