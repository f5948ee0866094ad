package dev.escapement.storage.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;

/** Makes a value of the row that a result stands on. */
@FunctionalInterface
public interface RowMapper<T> {

    /** Reads the columns. */
    T map(ResultSet columns) throws SQLException;
}
