package dev.escapement.storage.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Executes and counts the statements of one connection. Not thread-safe. */
public final class SqlSession {

    private static final Logger LOG = LoggerFactory.getLogger(SqlSession.class);

    private final Connection connection;
    private final StatementCounters counters;
    private final int maxCachedStatements;
    private final Map<String, PreparedStatement> cachedStatements = new HashMap<>();

    /** @param maxCachedStatements how many prepared statements are kept; 0 if the driver keeps them itself */
    public SqlSession(Connection connection, StatementCounters counters, int maxCachedStatements) {
        this.connection = connection;
        this.counters = counters;
        this.maxCachedStatements = maxCachedStatements;
    }

    /** Executes an update and returns the number of changed rows. */
    public int update(String sql, Object... parameters) throws SQLException {
        return withStatement(sql, parameters, PreparedStatement::executeUpdate);
    }

    public <T> List<T> list(String sql, SqlFunction<ResultSet, T> row, Object... parameters) throws SQLException {
        return withStatement(sql, parameters, statement -> {
            try (ResultSet result = statement.executeQuery()) {
                List<T> rows = new ArrayList<>();
                while (result.next()) {
                    rows.add(row.apply(result));
                }
                return rows;
            }
        });
    }

    public <T> Optional<T> first(String sql, SqlFunction<ResultSet, T> row, Object... parameters) throws SQLException {
        return list(sql, row, parameters).stream().findFirst();
    }

    public boolean exists(String sql, Object... parameters) throws SQLException {
        return !list(sql, columns -> true, parameters).isEmpty();
    }

    private <T> T withStatement(String sql, Object[] parameters, SqlFunction<PreparedStatement, T> use)
            throws SQLException {
        counters.countStatement();
        PreparedStatement cached = cachedStatements.remove(sql);
        PreparedStatement statement = cached == null ? connection.prepareStatement(sql) : cached;
        try {
            for (int i = 0; i < parameters.length; i++) {
                statement.setObject(i + 1, parameters[i]);
            }
            T result = use.apply(statement);
            release(sql, statement);
            return result;
        } catch (SQLException | RuntimeException failed) {
            // The state of the statement is unknown.
            closeQuietly(statement);
            throw failed;
        }
    }

    private void release(String sql, PreparedStatement statement) throws SQLException {
        if (cachedStatements.size() >= maxCachedStatements) {
            statement.close();
            return;
        }
        statement.clearParameters();
        if (cachedStatements.putIfAbsent(sql, statement) != null) {
            statement.close();
        }
    }

    /** Closes a statement or connection that may be broken already. */
    public static void closeQuietly(AutoCloseable closeable) {
        try {
            closeable.close();
        } catch (Exception broken) {
            LOG.debug("Closing a broken connection or statement failed", broken);
        }
    }
}
