package dev.escapement.storage.postgresql;

import dev.escapement.storage.jdbc.SqlSession;
import dev.escapement.storage.jdbc.StatementCounters;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * Determines the epoch of new journal records (column {@code era}). Transaction numbers belong to one PostgreSQL
 * instance: after a dump is restored into another instance, old records may have numbers that the new one has yet to
 * reach. Then a new epoch starts, which sorts after all older ones.
 */
final class JournalEpoch {

    private static final String HAS_RECORDS_OF_OTHER_INSTANCE_SQL = "SELECT 1 WHERE EXISTS (SELECT 1 FROM journal"
            + " WHERE era = (SELECT era FROM journal_era) AND xid >= pg_snapshot_xmax(pg_current_snapshot()))";

    private JournalEpoch() {}

    /** Returns the current epoch; starts a new one if needed. The connection must be in auto-commit mode. */
    static int current(Connection connection) throws SQLException {
        SqlSession session = PostgresConnectionPools.session(connection, new StatementCounters());
        if (session.exists(HAS_RECORDS_OF_OTHER_INSTANCE_SQL)) {
            startNext(connection, session);
        }
        return session.first("SELECT era FROM journal_era", columns -> columns.getInt(1))
                .orElseThrow();
    }

    private static void startNext(Connection connection, SqlSession session) throws SQLException {
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
}
