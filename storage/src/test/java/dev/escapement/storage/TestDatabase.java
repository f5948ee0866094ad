package dev.escapement.storage;

import dev.escapement.engine.contract.ContractPorts;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** A real database for one test, with access to it that bypasses the program. */
public abstract class TestDatabase implements AutoCloseable {

    private final List<Database> openDatabases = new ArrayList<>();

    public abstract Database connect();

    /** Returns a table expression with the numbers 1 to {@code count} in column n. */
    public abstract String numbersTable(int count);

    abstract String explainPrefix();

    /** Returns the column of an EXPLAIN result that has the plan. */
    abstract int planColumn();

    public abstract Connection openRawConnection() throws SQLException;

    /** Opens the database; it is closed with this. */
    public final Database open() {
        Database database = connect();
        openDatabases.add(database);
        return database;
    }

    final ContractPorts openPorts() {
        Database database = open();
        return new ContractPorts(database.store(), database.queries(), database.journal(), true);
    }

    public final void execute(String sql) throws SQLException {
        try (Connection connection = openRawConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    public final List<String> queryColumn(String sql) throws SQLException {
        try (Connection connection = openRawConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            List<String> column = new ArrayList<>();
            while (rows.next()) {
                column.add(rows.getString(1));
            }
            return column;
        }
    }

    public final long countRows(String table) throws SQLException {
        return Long.parseLong(queryColumn("SELECT count(*) FROM " + table).get(0));
    }

    /** Returns the query plan. */
    public final String explainQuery(String sql, Object... parameters) throws SQLException {
        try (Connection connection = openRawConnection();
                PreparedStatement statement = connection.prepareStatement(explainPrefix() + sql)) {
            for (int i = 0; i < parameters.length; i++) {
                statement.setObject(i + 1, parameters[i]);
            }
            StringBuilder plan = new StringBuilder();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    plan.append(rows.getString(planColumn())).append('\n');
                }
            }
            return plan.toString();
        }
    }

    @Override
    public void close() {
        openDatabases.forEach(Database::close);
    }
}
