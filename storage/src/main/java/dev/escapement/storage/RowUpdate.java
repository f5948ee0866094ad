package dev.escapement.storage;

import dev.escapement.engine.port.Versioned;
import dev.escapement.storage.jdbc.SqlSession;
import java.sql.SQLException;
import java.util.List;

/**
 * A statement that writes one row.
 *
 * @param subject what is written, for messages
 * @param expectedRows how many rows it must change; any other number means that a concurrent writer was faster
 */
record RowUpdate(String subject, String sql, List<Object> parameters, int expectedRows) {

    static RowUpdate expectingOneRow(String subject, String sql, Object... parameters) {
        return new RowUpdate(subject, sql, List.of(parameters), 1);
    }

    /** Returns the version as the number in the row, which starts at 1; -1, which matches no row, if it is not one. */
    static long rowVersion(Versioned<?> seen) {
        try {
            return Long.parseLong(seen.version());
        } catch (NumberFormatException notANumber) {
            return -1;
        }
    }

    /** Executes the statement and returns whether it changed the expected number of rows. */
    boolean execute(SqlSession session) throws SQLException {
        return session.update(sql, parameters.toArray()) == expectedRows;
    }
}
