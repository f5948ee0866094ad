package dev.escapement.notifications.audit;

import dev.escapement.common.Json;
import dev.escapement.storage.jdbc.Backend;
import dev.escapement.storage.jdbc.SqlSession;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The rows of the chain and of its head. */
final class AuditTable {

    static final String COLUMNS = "sequence, previous_hash, hash, document";

    static final String READ_AFTER_SQL =
            "SELECT " + COLUMNS + " FROM audit WHERE sequence > ? ORDER BY sequence LIMIT ?";

    private static final String READ_INDEXED_SQL = "SELECT " + COLUMNS + ", " + SearchColumns.NAMES
            + " FROM audit WHERE sequence > ? ORDER BY sequence LIMIT ?";

    private static final String HEAD_SQL =
            "SELECT sequence, hash, journal_position, anchor_sequence, anchor_hash FROM audit_head";

    /** Changes nothing if another server has appended entries. */
    private static final String ADVANCE_SQL = "UPDATE audit_head SET sequence = ?, hash = ?, journal_position = ?"
            + " WHERE sequence = ? AND hash = ? AND journal_position = ?";

    private static final List<String> INSERT_COLUMNS = List.of(
            "sequence bigint",
            "previous_hash text",
            "hash text",
            "id text",
            "type text",
            "occurred_at bigint",
            "actor text",
            "execution text",
            "target text",
            "document text");

    private final String insertSql;

    AuditTable(Backend backend) {
        String names = String.join(
                ", ",
                INSERT_COLUMNS.stream()
                        .map(column -> column.substring(0, column.indexOf(' ')))
                        .toList());
        this.insertSql = "INSERT INTO audit (" + names + ") SELECT " + names + " FROM "
                + backend.dialect().batchTable().apply(INSERT_COLUMNS);
    }

    static ChainHead readHead(SqlSession session) throws SQLException {
        return session.first(
                        HEAD_SQL,
                        row -> new ChainHead(
                                row.getLong(1), row.getString(2), row.getString(3), row.getLong(4), row.getString(5)))
                .orElseThrow(
                        () -> new SQLException("the table audit_head is empty: restore the database from a backup"));
    }

    static ChainEntry readEntry(ResultSet row) throws SQLException {
        return new ChainEntry(row.getLong(1), row.getString(2), row.getString(3), row.getString(4));
    }

    static List<IndexedEntry> readIndexed(SqlSession session, long after, int limit) throws SQLException {
        return session.list(
                READ_INDEXED_SQL, row -> new IndexedEntry(readEntry(row), SearchColumns.read(row, 5)), after, limit);
    }

    /**
     * Appends entries and advances the head to the last of them, in the transaction of the session.
     *
     * @return false if the head is not the expected one; then nothing may be committed
     */
    boolean append(SqlSession session, ChainHead expected, List<ChainEntry> entries, String position)
            throws SQLException {
        ChainEntry last = entries.get(entries.size() - 1);
        int updated = session.update(
                ADVANCE_SQL,
                last.sequence(),
                last.hash(),
                position,
                expected.sequence(),
                expected.hash(),
                expected.journalPosition());
        if (updated == 1) {
            session.update(
                    insertSql,
                    Json.write(entries.stream().map(AuditTable::toRow).toList()));
        }
        return updated == 1;
    }

    private static Map<String, Object> toRow(ChainEntry entry) {
        Map<String, Object> row =
                new LinkedHashMap<>(SearchColumns.of(entry.document()).values());
        row.put("sequence", entry.sequence());
        row.put("previous_hash", entry.previousHash());
        row.put("hash", entry.hash());
        row.put("document", entry.document());
        return row;
    }
}
