package dev.escapement.storage.postgresql;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Determines the epoch of new journal records (column {@code era}). Transaction numbers belong to one PostgreSQL
 * instance: after a dump is restored into another instance, old records may have numbers that the new one has yet to
 * reach. Then a new epoch starts, which sorts after all older ones.
 */
final class JournalEpoch {

    private static final String RECORDS_OF_OTHER_INSTANCE_SQL = "SELECT EXISTS (SELECT 1 FROM journal"
            + " WHERE era = (SELECT era FROM journal_era) AND xid >= pg_snapshot_xmax(pg_current_snapshot()))";

    private JournalEpoch() {}

    /** Returns the current epoch; starts a new one if needed. The connection must be in auto-commit mode. */
    static int current(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            if (hasRecordsOfOtherInstance(statement)) {
                startNext(connection, statement);
            }
            try (ResultSet row = statement.executeQuery("SELECT era FROM journal_era")) {
                row.next();
                return row.getInt(1);
            }
        }
    }

    private static void startNext(Connection connection, Statement statement) throws SQLException {
        connection.setAutoCommit(false);
        try {
            statement.execute("LOCK TABLE journal_era IN EXCLUSIVE MODE");
            // Another server may have started it in the meantime.
            if (hasRecordsOfOtherInstance(statement)) {
                statement.execute("UPDATE journal_era SET era = era + 1");
            }
            connection.commit();
        } finally {
            connection.setAutoCommit(true);
        }
    }

    private static boolean hasRecordsOfOtherInstance(Statement statement) throws SQLException {
        try (ResultSet row = statement.executeQuery(RECORDS_OF_OTHER_INSTANCE_SQL)) {
            return row.next() && row.getBoolean(1);
        }
    }
}
