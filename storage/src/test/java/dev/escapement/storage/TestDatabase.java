package dev.escapement.storage;

import dev.escapement.engine.contract.Ports;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** A real database of its own for one test or one class of tests, and a way in behind the back of the program. */
abstract class TestDatabase implements AutoCloseable {

    private final List<Database> opened = new ArrayList<>();

    abstract Database connect();

    /** Behind its back. */
    abstract Connection raw() throws SQLException;

    /** Opens it; closed with this. */
    final Database open() {
        Database database = connect();
        opened.add(database);
        return database;
    }

    final Ports ports() {
        Database database = open();
        return new Ports(database.store(), database.directory(), database.journal(), true);
    }

    final void execute(String sql) throws SQLException {
        try (Connection connection = raw();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    final List<String> column(String sql) throws SQLException {
        try (Connection connection = raw();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            List<String> column = new ArrayList<>();
            while (rows.next()) {
                column.add(rows.getString(1));
            }
            return column;
        }
    }

    final long count(String table) throws SQLException {
        return Long.parseLong(column("SELECT count(*) FROM " + table).get(0));
    }

    @Override
    public void close() {
        opened.forEach(Database::close);
    }
}
