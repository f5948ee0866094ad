package dev.escapement.storage.postgresql;

import dev.escapement.engine.port.Journal;
import dev.escapement.storage.jdbc.JournalTable;
import dev.escapement.storage.jdbc.SqlSession;
import dev.escapement.storage.jdbc.StatementCounters;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The journal in PostgreSQL. Records are ordered by transaction number and can be read only up to the oldest open
 * transaction. So no record ever appears before one that was read, and writers never wait for each other. Any write
 * transaction on the same PostgreSQL instance that stays open keeps newer records unreadable until it ends.
 */
final class PostgresJournal extends JournalTable {

    /**
     * How far the journal can be read.
     *
     * @param end position of the newest readable record
     * @param hasUnreadable whether there are newer records that cannot be read yet
     */
    record ReadableEnd(String end, boolean hasUnreadable) {}

    private static final String OLDEST_OPEN_TRANSACTION_SQL = "(SELECT pg_snapshot_xmin(pg_current_snapshot()))";
    private static final String READABLE_CONDITION = "(era < ? OR xid < " + OLDEST_OPEN_TRANSACTION_SQL + ")";

    static final String READ_SQL =
            "SELECT era, xid, seq, document FROM journal WHERE (era, xid, seq) > (?, CAST(? AS xid8), ?)" + " AND "
                    + READABLE_CONDITION + " ORDER BY era, xid, seq LIMIT ?";
    static final String END_SQL = "SELECT era, xid, seq FROM journal WHERE " + READABLE_CONDITION
            + " ORDER BY era DESC, xid DESC, seq DESC LIMIT 1";
    /** Checks only the newest record: a search for any unreadable one would scan the whole table. */
    static final String HAS_UNREADABLE_SQL =
            "SELECT 1 FROM (SELECT era, xid FROM journal ORDER BY era DESC, xid DESC, seq DESC LIMIT 1) AS newest"
                    + " WHERE era = ? AND xid >= " + OLDEST_OPEN_TRANSACTION_SQL;

    private static final String HAS_RECORDS_OF_OTHER_INSTANCE_SQL = "SELECT 1 WHERE EXISTS (SELECT 1 FROM journal"
            + " WHERE era = (SELECT era FROM journal_era) AND xid >= pg_snapshot_xmax(pg_current_snapshot()))";

    private final Runnable beforeRead;
    private volatile int epoch;

    /** @param beforeRead called before {@link #read} and {@link #end} */
    PostgresJournal(int epoch, Runnable beforeRead) {
        this.epoch = epoch;
        this.beforeRead = beforeRead;
    }

    /**
     * Returns the epoch of new records (column {@code era}); starts a new one if needed. Transaction numbers belong to
     * one PostgreSQL instance: after a dump is restored into another instance, old records may have numbers that the
     * new one has yet to reach. Then a new epoch starts, which sorts after all older ones.
     *
     * @param connection in auto-commit mode
     */
    static int currentEpoch(Connection connection) throws SQLException {
        SqlSession session = PostgresConnectionPools.session(connection, new StatementCounters());
        if (session.exists(HAS_RECORDS_OF_OTHER_INSTANCE_SQL)) {
            startNextEpoch(connection, session);
        }
        return session.first("SELECT era FROM journal_era", columns -> columns.getInt(1))
                .orElseThrow();
    }

    private static void startNextEpoch(Connection connection, SqlSession session) throws SQLException {
        connection.setAutoCommit(false);
        try {
            session.update("LOCK TABLE journal_era IN EXCLUSIVE MODE");
            // Another server may have started it in the meantime.
            if (session.exists(HAS_RECORDS_OF_OTHER_INSTANCE_SQL)) {
                session.update("UPDATE journal_era SET era = era + 1");
            }
            connection.commit();
        } finally {
            connection.setAutoCommit(true);
        }
    }

    void setEpoch(int epoch) {
        this.epoch = epoch;
    }

    @Override
    protected Optional<Integer> epoch() {
        return Optional.of(epoch);
    }

    @Override
    protected String keyColumns() {
        return "era, xid, seq";
    }

    @Override
    protected List<StoredRecord> list(SqlSession session, String after, int limit) throws SQLException {
        List<Object> parameters = new ArrayList<>(parsePosition(after));
        parameters.add(epoch);
        parameters.add(limit);
        beforeRead.run();
        return session.list(
                READ_SQL,
                columns -> new StoredRecord(readPosition(columns), columns.getString(4)),
                parameters.toArray());
    }

    @Override
    protected String positionParameters() {
        return "?, CAST(? AS xid8), ?";
    }

    @Override
    protected List<Object> parsePosition(String position) {
        String[] parts = position.isEmpty() ? new String[] {"0", "0", "0"} : position.split("-", -1);
        if (parts.length != 3) {
            throw invalidPosition(position);
        }
        return List.of(
                (int) Math.min(parsePositionPart(position, parts[0]), Integer.MAX_VALUE),
                Long.toString(parsePositionPart(position, parts[1])),
                parsePositionPart(position, parts[2]));
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
        // In this order: a record that becomes readable in between counts as unreadable, so the listener polls again.
        boolean hasUnreadable = session.exists(HAS_UNREADABLE_SQL, epoch);
        return new ReadableEnd(queryEnd(session), hasUnreadable);
    }

    private static String readPosition(ResultSet columns) throws SQLException {
        return columns.getString(1) + "-" + columns.getString(2) + "-" + columns.getString(3);
    }
}
