package dev.escapement.storage.postgresql;

import dev.escapement.engine.journal.Transition;
import dev.escapement.engine.port.Journal;
import dev.escapement.storage.jdbc.JournalTable;
import dev.escapement.storage.jdbc.SqlSession;
import dev.escapement.storage.table.JournalRows;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/**
 * Ordered by transaction, and read only as far as no older transaction is under way. So nothing ever appears before
 * what was read, and nobody who writes waits for anybody. A write transaction of whomever on the same PostgreSQL that
 * stays open keeps newer records from being read until it ends.
 */
final class PostgresJournal implements JournalTable {

    /**
     * How far the journal can be read.
     *
     * @param end the newest record that can be read
     * @param hasUnreadable whether there are newer ones that cannot be read yet
     */
    record ReadableEnd(String end, boolean hasUnreadable) {}

    private static final String OLDEST_OPEN_TRANSACTION_SQL = "(SELECT pg_snapshot_xmin(pg_current_snapshot()))";
    private static final String READABLE_CONDITION = "(era < ? OR xid < " + OLDEST_OPEN_TRANSACTION_SQL + ")";

    static final String READ_SQL =
            "SELECT era, xid, seq, document FROM journal WHERE (era, xid, seq) > (?, CAST(? AS xid8), ?)" + " AND "
                    + READABLE_CONDITION + " ORDER BY era, xid, seq LIMIT ?";
    static final String END_SQL = "SELECT era, xid, seq FROM journal WHERE " + READABLE_CONDITION
            + " ORDER BY era DESC, xid DESC, seq DESC LIMIT 1";
    /** Asked of the newest record alone: a search for any such record would go through all of them. */
    static final String HAS_UNREADABLE_SQL =
            "SELECT 1 FROM (SELECT era, xid FROM journal ORDER BY era DESC, xid DESC, seq DESC LIMIT 1) AS newest"
                    + " WHERE era = ? AND xid >= " + OLDEST_OPEN_TRANSACTION_SQL;

    private final Runnable beforeRead;
    private volatile int epoch;

    /** @param beforeLooking called before others than the listener read */
    PostgresJournal(int era, Runnable beforeLooking) {
        this.epoch = era;
        this.beforeRead = beforeLooking;
    }

    void setEpoch(int now) {
        epoch = now;
    }

    @Override
    public void append(SqlSession session, List<Transition> records) throws SQLException {
        JournalRows.append(session, records, Optional.of(epoch));
    }

    @Override
    public List<Journal.Entry> read(SqlSession session, String after, int limit) throws SQLException {
        String[] parts = after.isEmpty() ? new String[] {"0", "0", "0"} : after.split("-", -1);
        if (parts.length != 3) {
            throw JournalRows.invalidPosition(after);
        }
        beforeRead.run();
        return session.list(
                READ_SQL,
                columns -> JournalRows.toEntry(readPosition(columns), columns.getString(4)),
                (int) Math.min(JournalRows.parsePositionPart(after, parts[0]), Integer.MAX_VALUE),
                Long.toString(JournalRows.parsePositionPart(after, parts[1])),
                JournalRows.parsePositionPart(after, parts[2]),
                epoch,
                limit);
    }

    @Override
    public String end(SqlSession session) throws SQLException {
        beforeRead.run();
        return queryEnd(session);
    }

    private String queryEnd(SqlSession session) throws SQLException {
        return session.first(END_SQL, PostgresJournal::readPosition, epoch).orElse(Journal.START);
    }

    ReadableEnd findReadableEnd(SqlSession session) throws SQLException {
        // In this order: what becomes readable in between was seen as unreadable, and is looked for again.
        boolean more = session.exists(HAS_UNREADABLE_SQL, epoch);
        return new ReadableEnd(queryEnd(session), more);
    }

    private static String readPosition(ResultSet columns) throws SQLException {
        return columns.getString(1) + "-" + columns.getString(2) + "-" + columns.getString(3);
    }
}
