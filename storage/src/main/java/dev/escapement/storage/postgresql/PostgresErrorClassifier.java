package dev.escapement.storage.postgresql;

import dev.escapement.storage.jdbc.SqlErrorClassifier;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Set;

/** Classifies errors by PostgreSQL's SQL states. */
final class PostgresErrorClassifier implements SqlErrorClassifier {

    /** Serialization failure, deadlock, lock not available. */
    private static final Set<String> CONFLICT_STATES = Set.of("40001", "40P01", "55P03");

    private static final Set<String> CORRUPTION_STATES = Set.of("XX001", "XX002");

    @Override
    public ErrorKind classify(SQLException error) {
        String state = sqlState(error);
        if (error instanceof SQLTransientConnectionException || error.getCause() instanceof InterruptedException) {
            // The pool has waited and retried already, or was interrupted.
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

    static boolean isConnectionFailure(String state) {
        return state.startsWith("08") || state.startsWith("57P0");
    }

    static String sqlState(SQLException error) {
        return String.valueOf(error.getSQLState());
    }
}
