package dev.escapement.storage.table;

import dev.escapement.storage.jdbc.SqlSession;
import java.sql.SQLException;
import java.util.List;

/**
 * One statement of a transaction, and how many rows it must hit: any other number means that somebody else was there in
 * between.
 */
public record RowUpdate(String sql, List<Object> parameters, int expectedRows) {

    static RowUpdate expectingOneRow(String sql, Object... parameters) {
        return new RowUpdate(sql, List.of(parameters), 1);
    }

    static RowUpdate expectingNoRow(String sql, Object... parameters) {
        return new RowUpdate(sql, List.of(parameters), 0);
    }

    public boolean execute(SqlSession session) throws SQLException {
        return session.update(sql, parameters.toArray()) == expectedRows;
    }
}
