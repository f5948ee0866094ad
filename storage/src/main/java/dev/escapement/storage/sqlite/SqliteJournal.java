package dev.escapement.storage.sqlite;

import dev.escapement.engine.journal.Transition;
import dev.escapement.engine.port.Journal;
import dev.escapement.storage.jdbc.JournalTable;
import dev.escapement.storage.jdbc.SqlSession;
import dev.escapement.storage.table.JournalRows;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** The journal in SQLite. Row numbers follow the order of commits, because there is one writer at a time. */
final class SqliteJournal implements JournalTable {

    @Override
    public void append(SqlSession session, List<Transition> records) throws SQLException {
        JournalRows.append(session, records, Optional.empty());
    }

    @Override
    public List<Journal.Entry> read(SqlSession session, String after, int limit) throws SQLException {
        long from = after.isEmpty() ? 0 : JournalRows.parsePositionPart(after, after);
        return session.list(
                "SELECT position, document FROM journal WHERE position > ? ORDER BY position LIMIT ?",
                columns -> JournalRows.toEntry(columns.getString(1), columns.getString(2)),
                from,
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
