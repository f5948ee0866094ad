package dev.escapement.storage.postgresql;

import dev.escapement.storage.jdbc.SqlErrorClassifier;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Set;

/** PostgreSQL's error codes. */
final class PostgresErrorClassifier implements SqlErrorClassifier {

    /** Two transactions were in each other's way. */
    private static final Set<String> CONFLICT_STATES = Set.of("40001", "40P01", "55P03");

    private static final Set<String> CORRUPTION_STATES = Set.of("XX001", "XX002");

    @Override
    public ErrorKind classify(SQLException error) {
        String state = sqlState(error);
        if (error instanceof SQLTransientConnectionException || error.getCause() instanceof InterruptedException) {
            // The pool has waited and tried already, or was told to stop waiting.
            return ErrorKind.UNAVAILABLE;
        } else if (CONFLICT_STATES.contains(state) || isConnectionFailure(state)) {
            return ErrorKind.TRANSIENT;
        } else if (state.startsWith("53")
                || state.startsWith("57")
                || state.startsWith("58")
                || state.equals("25006")) {
            return ErrorKind.UNAVAILABLE;
        } else if (CORRUPTION_STATES.contains(state)) {
            return ErrorKind.CORRUPTED;
        }
        return ErrorKind.UNEXPECTED;
    }

    /**
     * A commit that another transaction or a constraint stood against was rolled back. After a lost connection or a
     * termination it may have been made all the same.
     */
    @Override
    public boolean isCommitRejected(SQLException error) {
        String state = sqlState(error);
        return CONFLICT_STATES.contains(state) || state.startsWith("23");
    }

    /** The connection is gone, or going. */
    static boolean isConnectionFailure(String state) {
        return state.startsWith("08") || state.startsWith("57P0");
    }

    static String sqlState(SQLException error) {
        return String.valueOf(error.getSQLState());
    }
}
