package dev.escapement.storage.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;

/** Converts the current row of a result to a value. */
@FunctionalInterface
public interface RowMapper<T> {

    T map(ResultSet columns) throws SQLException;
}
