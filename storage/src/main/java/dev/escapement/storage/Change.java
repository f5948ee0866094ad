package dev.escapement.storage;

import dev.escapement.storage.jdbc.Session;
import java.sql.SQLException;
import java.util.List;

/**
 * One statement of a transaction, and how many rows it must hit: any other number means that somebody else was there in
 * between.
 */
record Change(String sql, List<Object> parameters, int rows) {

    static Change one(String sql, Object... parameters) {
        return new Change(sql, List.of(parameters), 1);
    }

    static Change none(String sql, Object... parameters) {
        return new Change(sql, List.of(parameters), 0);
    }

    boolean isMade(Session session) throws SQLException {
        return session.update(sql, parameters.toArray()) == rows;
    }
}
