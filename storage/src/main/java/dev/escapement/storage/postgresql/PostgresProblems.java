package dev.escapement.storage.postgresql;

import dev.escapement.storage.jdbc.Problems;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Set;

/** PostgreSQL's error codes. */
final class PostgresProblems implements Problems {

    /** Two transactions were in each other's way. */
    private static final Set<String> IN_THE_WAY = Set.of("40001", "40P01", "55P03");

    private static final Set<String> DAMAGE = Set.of("XX001", "XX002");

    @Override
    public Kind kind(SQLException error) {
        String state = state(error);
        if (error instanceof SQLTransientConnectionException || error.getCause() instanceof InterruptedException) {
            // The pool has waited and tried already, or was told to stop waiting.
            return Kind.UNAVAILABLE;
        } else if (IN_THE_WAY.contains(state) || isConnection(state)) {
            return Kind.BRIEF;
        } else if (state.startsWith("53")
                || state.startsWith("57")
                || state.startsWith("58")
                || state.equals("25006")) {
            return Kind.UNAVAILABLE;
        } else if (DAMAGE.contains(state)) {
            return Kind.DAMAGED;
        }
        return Kind.UNEXPECTED;
    }

    /**
     * A commit that another transaction or a constraint stood against was rolled back. After a lost connection or a
     * termination it may have been made all the same.
     */
    @Override
    public boolean refusedCommit(SQLException error) {
        String state = state(error);
        return IN_THE_WAY.contains(state) || state.startsWith("23");
    }

    /** The connection is gone, or going. */
    static boolean isConnection(String state) {
        return state.startsWith("08") || state.startsWith("57P0");
    }

    static String state(SQLException error) {
        return String.valueOf(error.getSQLState());
    }
}
