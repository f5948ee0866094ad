package dev.escapement.storage.jdbc;

import java.sql.PreparedStatement;
import java.sql.SQLException;

/** Where a session gets its statements from: some drivers keep them, for others we do. */
public interface Statements {

    /** A statement to use now. */
    PreparedStatement take(String sql) throws SQLException;

    /** It was used. */
    void giveBack(String sql, PreparedStatement statement) throws SQLException;

    /** It failed, and what state it is in is unknown. */
    void drop(String sql, PreparedStatement statement);
}
