package dev.escapement.storage.jdbc;

import java.sql.PreparedStatement;
import java.sql.SQLException;

/** Supplies a session with prepared statements; an implementation may cache them. */
public interface StatementSource {

    PreparedStatement acquire(String sql) throws SQLException;

    /** Takes back a statement after successful use. */
    void release(String sql, PreparedStatement statement) throws SQLException;

    /** Closes a statement that failed and whose state is unknown. */
    void discard(String sql, PreparedStatement statement);
}
