package dev.escapement.storage.jdbc;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Executes and counts the statements of one operation on one connection. Not thread-safe. */
public final class SqlSession {

    private final StatementSource statements;
    private final StatementCounters counters;

    public SqlSession(StatementSource statements, StatementCounters counters) {
        this.statements = statements;
        this.counters = counters;
    }

    /** Executes an update and returns the number of changed rows. */
    public int update(String sql, Object... parameters) throws SQLException {
        return withStatement(sql, parameters, PreparedStatement::executeUpdate);
    }

    public <T> List<T> list(String sql, RowMapper<T> row, Object... parameters) throws SQLException {
        return withStatement(sql, parameters, statement -> {
            try (ResultSet result = statement.executeQuery()) {
                List<T> rows = new ArrayList<>();
                while (result.next()) {
                    rows.add(row.map(result));
                }
                return rows;
            }
        });
    }

    public <T> Optional<T> first(String sql, RowMapper<T> row, Object... parameters) throws SQLException {
        return list(sql, row, parameters).stream().findFirst();
    }

    public boolean exists(String sql, Object... parameters) throws SQLException {
        return !list(sql, columns -> true, parameters).isEmpty();
    }

    private interface StatementCall<T> {
        T apply(PreparedStatement statement) throws SQLException;
    }

    private <T> T withStatement(String sql, Object[] parameters, StatementCall<T> use) throws SQLException {
        counters.countStatement();
        PreparedStatement statement = statements.acquire(sql);
        try {
            for (int i = 0; i < parameters.length; i++) {
                statement.setObject(i + 1, parameters[i]);
            }
            T result = use.apply(statement);
            statements.release(sql, statement);
            return result;
        } catch (SQLException | RuntimeException failed) {
            statements.discard(sql, statement);
            throw failed;
        }
    }
}
