package dev.escapement.storage.jdbc;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A connection for one piece of work. Every statement of ours goes through here, and is counted. */
public final class Session {

    private final Statements statements;
    private final Counters counters;

    /** Counts into {@code counters}. */
    public Session(Statements statements, Counters counters) {
        this.statements = statements;
        this.counters = counters;
    }

    /** Changes rows; returns how many. */
    public int update(String sql, Object... parameters) throws SQLException {
        return use(sql, parameters, PreparedStatement::executeUpdate);
    }

    /** All rows. */
    public <T> List<T> list(String sql, Row<T> row, Object... parameters) throws SQLException {
        return use(sql, parameters, statement -> {
            try (ResultSet result = statement.executeQuery()) {
                List<T> rows = new ArrayList<>();
                while (result.next()) {
                    rows.add(row.read(result));
                }
                return rows;
            }
        });
    }

    /** The first row. */
    public <T> Optional<T> first(String sql, Row<T> row, Object... parameters) throws SQLException {
        return list(sql, row, parameters).stream().findFirst();
    }

    /** Whether there is a row. */
    public boolean exists(String sql, Object... parameters) throws SQLException {
        return !list(sql, columns -> true, parameters).isEmpty();
    }

    private interface Use<T> {
        T of(PreparedStatement statement) throws SQLException;
    }

    private <T> T use(String sql, Object[] parameters, Use<T> use) throws SQLException {
        counters.statement();
        PreparedStatement statement = statements.take(sql);
        try {
            for (int i = 0; i < parameters.length; i++) {
                statement.setObject(i + 1, parameters[i]);
            }
            T result = use.of(statement);
            statements.giveBack(sql, statement);
            return result;
        } catch (SQLException | RuntimeException failed) {
            statements.drop(sql, statement);
            throw failed;
        }
    }
}
