package dev.escapement.storage.sqlite;

import dev.escapement.engine.port.Journal;
import dev.escapement.storage.jdbc.JournalTable;
import dev.escapement.storage.jdbc.SqlSession;
import java.sql.SQLException;
import java.util.List;

/** The journal in SQLite. Row numbers follow the order of commits, because there is one writer at a time. */
final class SqliteJournal extends JournalTable {

    @Override
    public List<Journal.Entry> read(SqlSession session, String after, int limit) throws SQLException {
        return session.list(
                "SELECT position, document FROM journal WHERE position > ? ORDER BY position LIMIT ?",
                columns -> toEntry(columns.getString(1), columns.getString(2)),
                after.isEmpty() ? 0 : parsePositionPart(after, after),
                limit);
    }

    @Override
    public String end(SqlSession session) throws SQLException {
        return session.first("SELECT max(position) FROM journal", columns -> columns.getLong(1))
                .filter(position -> position > 0)
                .map(String::valueOf)
                .orElse(Journal.START);
    }
}
