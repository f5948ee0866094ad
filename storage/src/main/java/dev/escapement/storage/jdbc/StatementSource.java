package dev.escapement.storage.jdbc;

import java.sql.PreparedStatement;
import java.sql.SQLException;

/** Where a session gets its statements from: some drivers keep them, for others we do. */
public interface StatementSource {

    /** A statement to use now. */
    PreparedStatement acquire(String sql) throws SQLException;

    /** It was used. */
    void release(String sql, PreparedStatement statement) throws SQLException;

    /** It failed, and what state it is in is unknown. */
    void discard(String sql, PreparedStatement statement);
}
