package dev.escapement.storage.sqlite;

import dev.escapement.storage.jdbc.StatementSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Caches the prepared statements of one connection, because the driver does not. Not thread-safe. */
final class StatementCache implements StatementSource {

    private static final Logger LOG = LoggerFactory.getLogger(StatementCache.class);

    /** More than there are different statements. */
    private static final int MAX_SIZE = 200;

    private final Connection connection;
    private final Map<String, PreparedStatement> idleStatements = new HashMap<>();

    StatementCache(Connection connection) {
        this.connection = connection;
    }

    @Override
    public PreparedStatement acquire(String sql) throws SQLException {
        PreparedStatement found = idleStatements.remove(sql);
        return found == null ? connection.prepareStatement(sql) : found;
    }

    @Override
    public void release(String sql, PreparedStatement statement) throws SQLException {
        statement.clearParameters();
        if (idleStatements.size() >= MAX_SIZE || idleStatements.putIfAbsent(sql, statement) != null) {
            statement.close();
        }
    }

    @Override
    public void discard(String sql, PreparedStatement statement) {
        try {
            statement.close();
        } catch (SQLException failed) {
            LOG.debug("Closing a failed statement failed", failed);
        }
    }
}
