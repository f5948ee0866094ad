package dev.escapement.storage.jdbc;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A connection for one piece of work. Every statement of ours goes through here, and is counted. */
public final class SqlSession {

    private final StatementSource statements;
    private final StatementCounters counters;

    /** Counts into {@code counters}. */
    public SqlSession(StatementSource statements, StatementCounters counters) {
        this.statements = statements;
        this.counters = counters;
    }

    /** Changes rows; returns how many. */
    public int update(String sql, Object... parameters) throws SQLException {
        return withStatement(sql, parameters, PreparedStatement::executeUpdate);
    }

    /** All rows. */
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

    /** The first row. */
    public <T> Optional<T> first(String sql, RowMapper<T> row, Object... parameters) throws SQLException {
        return list(sql, row, parameters).stream().findFirst();
    }

    /** Whether there is a row. */
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
