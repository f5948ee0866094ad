package dev.escapement.storage.postgresql;

import dev.escapement.storage.jdbc.SqlErrorClassifier;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Set;

/** Classifies errors by PostgreSQL's SQL states. */
final class PostgresErrorClassifier implements SqlErrorClassifier {

    /** Serialization failure, deadlock, lock not available. */
    private static final Set<String> CONFLICT_STATES = Set.of("40001", "40P01", "55P03");

    /**
     * Read-only transaction: the connection leads to a standby, or was opened while the database accepted no writes. It
     * stays read-only, so a retry needs a new connection.
     */
    private static final String READ_ONLY_STATE = "25006";

    /** The server has closed the connection because its transaction was idle, or took, too long. */
    private static final Set<String> CLOSED_TRANSACTION_STATES = Set.of("25P03", "25P04");

    private static final Set<String> CORRUPTION_STATES = Set.of("XX001", "XX002");

    @Override
    public ErrorKind classify(SQLException error) {
        String state = sqlState(error);
        if (error instanceof SQLTransientConnectionException || error.getCause() instanceof InterruptedException) {
            // The pool has waited and retried already, or was interrupted.
            return ErrorKind.UNAVAILABLE;
        } else if (CONFLICT_STATES.contains(state) || isConnectionUnusable(state)) {
            return ErrorKind.TRANSIENT;
        } else if (state.startsWith("53") || state.startsWith("57") || state.startsWith("58")) {
            return ErrorKind.UNAVAILABLE;
        } else if (CORRUPTION_STATES.contains(state)) {
            return ErrorKind.CORRUPTED;
        }
        return ErrorKind.UNEXPECTED;
    }

    /** A conflict or a violated constraint rolls back; after a broken connection the commit may have been made. */
    @Override
    public boolean isCommitRejected(SQLException error) {
        String state = sqlState(error);
        return CONFLICT_STATES.contains(state) || state.startsWith("23");
    }

    @Override
    public boolean isUniqueViolation(SQLException error) {
        return sqlState(error).equals("23505");
    }

    @Override
    public boolean isReadOnly(SQLException error) {
        return sqlState(error).equals(READ_ONLY_STATE);
    }

    /** Returns whether the connection of this error is broken or can no longer write. */
    static boolean isConnectionUnusable(String state) {
        return state.startsWith("08")
                || state.startsWith("57P0")
                || state.equals(READ_ONLY_STATE)
                || CLOSED_TRANSACTION_STATES.contains(state);
    }

    /** Creates the error that PostgreSQL itself reports for a write on a connection that cannot write. */
    static SQLException readOnly() {
        return new SQLException("the database accepts no writes", READ_ONLY_STATE);
    }

    static String sqlState(SQLException error) {
        return String.valueOf(error.getSQLState());
    }
}
