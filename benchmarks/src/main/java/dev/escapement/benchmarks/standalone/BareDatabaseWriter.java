package dev.escapement.benchmarks.standalone;

import dev.escapement.crashtests.kit.ParallelTasks;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The upper limit: a program that only makes the same three commits per execution, with rows of the same size, without
 * decisions, reads and HTTP. A durable server cannot be faster on the same database.
 */
final class BareDatabaseWriter {

    private static final String DOCUMENT = "x".repeat(1500);
    private static final String JOURNAL_RECORD = "x".repeat(400);

    private final String url;
    private final List<String> pragmas;
    private final int writers;

    private BareDatabaseWriter(String url, List<String> pragmas, int writers) {
        this.url = url;
        this.pragmas = pragmas;
        this.writers = writers;
    }

    static BareDatabaseWriter sqlite(String file) {
        return new BareDatabaseWriter(
                "jdbc:sqlite:" + file, List.of("PRAGMA journal_mode=WAL", "PRAGMA synchronous=FULL"), 1);
    }

    static BareDatabaseWriter postgres(String url) {
        return new BareDatabaseWriter(url, List.of(), 8);
    }

    /** Returns executions per second. */
    double measureRate(int executions) throws SQLException, InterruptedException, ExecutionException {
        try (Connection connection = open();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE bare_execution (id INTEGER PRIMARY KEY, version INTEGER, document TEXT)");
            statement.execute("CREATE TABLE bare_ledger (id INTEGER PRIMARY KEY, version INTEGER, document TEXT)");
            statement.execute("CREATE TABLE bare_journal (id INTEGER PRIMARY KEY, document TEXT)");
        }
        AtomicInteger next = new AtomicInteger();
        long start = System.nanoTime();
        ParallelTasks.run(writers, () -> writeExecutions(next, executions));
        return executions / ((System.nanoTime() - start) / 1e9);
    }

    private Connection open() throws SQLException {
        Connection connection = DriverManager.getConnection(url);
        try (Statement statement = connection.createStatement()) {
            for (String pragma : pragmas) {
                statement.execute(pragma);
            }
        }
        return connection;
    }

    private void writeExecutions(AtomicInteger next, int executions) throws SQLException {
        try (Connection connection = open();
                PreparedStatement create = connection.prepareStatement("INSERT INTO bare_execution VALUES (?, 1, ?)");
                PreparedStatement status =
                        connection.prepareStatement("UPDATE bare_execution SET version = version + 1 WHERE id = ?");
                PreparedStatement acquire = connection.prepareStatement("INSERT INTO bare_ledger VALUES (?, 1, ?)");
                PreparedStatement release =
                        connection.prepareStatement("UPDATE bare_ledger SET version = version + 1 WHERE id = ?");
                PreparedStatement record = connection.prepareStatement("INSERT INTO bare_journal VALUES (?, ?)")) {
            connection.setAutoCommit(false);
            for (int id = next.incrementAndGet(); id <= executions; id = next.incrementAndGet()) {
                execute(create, id, DOCUMENT);
                execute(record, id * 4, JOURNAL_RECORD);
                connection.commit();
                execute(acquire, id, JOURNAL_RECORD);
                execute(status, id);
                execute(record, id * 4 + 1, JOURNAL_RECORD);
                connection.commit();
                execute(status, id);
                execute(release, id);
                execute(record, id * 4 + 2, JOURNAL_RECORD);
                execute(record, id * 4 + 3, JOURNAL_RECORD);
                connection.commit();
            }
        }
    }

    private static void execute(PreparedStatement statement, int id, String... text) throws SQLException {
        statement.setInt(1, id);
        if (text.length > 0) {
            statement.setString(2, text[0]);
        }
        statement.executeUpdate();
    }
}
