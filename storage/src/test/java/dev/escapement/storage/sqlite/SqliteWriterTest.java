package dev.escapement.storage.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.storage.jdbc.SqlFunction;
import dev.escapement.storage.jdbc.SqlSession;
import dev.escapement.storage.jdbc.StatementCounters;
import dev.escapement.storage.problem.StorageException.CommitOutcomeUnknownException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Queued transactions share a commit but fail independently. */
class SqliteWriterTest {

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final StatementCounters counters = new StatementCounters();
    private final SqliteFile file;
    private final Connection connection;
    private final SqliteWriter writer;

    SqliteWriterTest(@TempDir Path folder) throws SQLException {
        file = SqliteFile.openExclusively(folder.resolve("x.db"));
        connection = file.dataSource().getConnection();
        writer = new SqliteWriter("the test's file", connection, new SqliteErrorClassifier(), counters);
    }

    @BeforeEach
    void createTables() throws SQLException {
        execute("CREATE TABLE parent (id INTEGER PRIMARY KEY)");
        execute("CREATE TABLE numbers (n INTEGER PRIMARY KEY, parent INTEGER REFERENCES parent DEFERRABLE INITIALLY"
                + " DEFERRED)");
    }

    @AfterEach
    void close() throws Exception {
        threads.shutdownNow();
        writer.close();
        file.close();
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private List<Integer> storedNumbers() throws SQLException {
        try (Connection reader = file.openReader();
                Statement statement = reader.createStatement();
                var rows = statement.executeQuery("SELECT n FROM numbers ORDER BY n")) {
            List<Integer> all = new ArrayList<>();
            while (rows.next()) {
                all.add(rows.getInt(1));
            }
            return all;
        }
    }

    private static Optional<Boolean> insert(SqlSession session, int number) throws SQLException {
        return session.update("INSERT INTO numbers (n) VALUES (?) ON CONFLICT DO NOTHING", number) == 1
                ? Optional.of(true)
                : Optional.empty();
    }

    /** Queues all transactions behind one that is being executed, so that they form a batch. */
    private List<Future<Optional<Boolean>>> writeTogether(List<SqlFunction<SqlSession, Optional<Boolean>>> bodies)
            throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch proceed = new CountDownLatch(1);
        Future<Optional<Boolean>> first = threads.submit(() -> writer.write(session -> {
            started.countDown();
            await(proceed);
            return insert(session, 0);
        }));
        assertThat(started.await(60, TimeUnit.SECONDS)).isTrue();
        List<Future<Optional<Boolean>>> all = new ArrayList<>();
        for (SqlFunction<SqlSession, Optional<Boolean>> body : bodies) {
            int before = writer.queueLength();
            all.add(threads.submit(() -> writer.write(body)));
            while (writer.queueLength() == before) {
                Thread.onSpinWait();
            }
        }
        proceed.countDown();
        assertThat(first.get(60, TimeUnit.SECONDS)).isPresent();
        return all;
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    private static Optional<Boolean> getResult(Future<Optional<Boolean>> future) throws Exception {
        return future.get(60, TimeUnit.SECONDS);
    }

    @Test
    void queuedWritesShareOneCommit() throws Exception {
        List<Future<Optional<Boolean>>> all = writeTogether(
                List.of(session -> insert(session, 1), session -> insert(session, 2), session -> insert(session, 3)));
        for (Future<Optional<Boolean>> each : all) {
            assertThat(getResult(each)).isPresent();
        }
        assertThat(storedNumbers()).containsExactly(0, 1, 2, 3);
        assertThat(counters.read().writeTransactions()).isEqualTo(2);
    }

    @Test
    void failedWriteIsRolledBackWithoutAffectingOthers() throws Exception {
        List<Future<Optional<Boolean>>> all = writeTogether(List.of(
                session -> insert(session, 1),
                session -> {
                    insert(session, 100);
                    return insert(session, 1);
                },
                session -> {
                    insert(session, 200);
                    throw new IllegalStateException("a defect");
                },
                session -> {
                    insert(session, 300);
                    session.update("INSERT INTO nowhere VALUES (1)");
                    return Optional.of(true);
                },
                session -> insert(session, 2)));
        assertThat(getResult(all.get(0))).isPresent();
        assertThat(getResult(all.get(1))).isEmpty();
        assertThatThrownBy(() -> getResult(all.get(2))).hasRootCauseInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> getResult(all.get(3)))
                .isInstanceOf(ExecutionException.class)
                .hasRootCauseInstanceOf(SQLException.class);
        assertThat(getResult(all.get(4))).isPresent();
        assertThat(storedNumbers()).containsExactly(0, 1, 2);
    }

    @Test
    void firstOfTwoConflictingWritesSucceeds() throws Exception {
        List<Future<Optional<Boolean>>> all =
                writeTogether(List.of(session -> insert(session, 7), session -> insert(session, 7)));
        assertThat(getResult(all.get(0))).isPresent();
        assertThat(getResult(all.get(1))).isEmpty();
    }

    @Test
    void rejectedCommitFailsAllWritesOfTheBatch() throws Exception {
        List<Future<Optional<Boolean>>> all = writeTogether(List.of(
                session -> insert(session, 1),
                session -> Optional.of(session.update("INSERT INTO numbers VALUES (2, 99)") == 1)));
        for (Future<Optional<Boolean>> each : all) {
            assertThatThrownBy(() -> getResult(each)).hasRootCauseInstanceOf(SQLException.class);
        }
        assertThat(storedNumbers()).containsExactly(0);
        assertThat(writer.write(session -> insert(session, 3))).isPresent();
    }

    @Test
    void reportsUnknownOutcomeWhenTransactionIsGoneAtCommit() throws Exception {
        assertThatThrownBy(() -> writer.write(session -> {
                    insert(session, 1);
                    session.update("ROLLBACK");
                    return Optional.of(true);
                }))
                .isInstanceOf(CommitOutcomeUnknownException.class)
                .hasMessageContaining("read again");
        assertThat(writer.write(session -> insert(session, 2))).isPresent();
        assertThat(storedNumbers()).containsExactly(2);
    }

    @Test
    void transactionAbortedBySqliteFailsAllWritesOfTheBatch() throws Exception {
        List<Future<Optional<Boolean>>> all = writeTogether(List.of(
                session -> insert(session, 1),
                session -> {
                    session.update("ROLLBACK");
                    return Optional.of(true);
                },
                session -> insert(session, 2)));
        for (Future<Optional<Boolean>> each : all) {
            assertThatThrownBy(() -> getResult(each)).hasRootCauseInstanceOf(SQLException.class);
        }
        assertThat(storedNumbers()).containsExactly(0);
    }

    @Test
    void usesFullSynchronousMode() throws SQLException {
        try (Statement statement = connection.createStatement();
                var row = statement.executeQuery("PRAGMA synchronous")) {
            assertThat(row.getInt(1)).as("2 is FULL").isEqualTo(2);
        }
    }
}
