package dev.escapement.storage.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.storage.jdbc.Counters;
import dev.escapement.storage.jdbc.Session;
import dev.escapement.storage.jdbc.Work;
import dev.escapement.storage.problem.OutcomeUnknown;
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

/** Those who wait are written together, and still each for itself. */
class WriterTest {

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Counters counters = new Counters();
    private final SqliteFile file;
    private final Connection connection;
    private final Writer writer;

    WriterTest(@TempDir Path folder) throws SQLException {
        file = SqliteFile.claim(folder.resolve("x.db"));
        connection = file.source().getConnection();
        writer = new Writer("the test's file", connection, new SqliteProblems(), counters);
    }

    @BeforeEach
    void makeTables() throws SQLException {
        execute("CREATE TABLE parent (id INTEGER PRIMARY KEY)");
        execute(
                "CREATE TABLE numbers (n INTEGER PRIMARY KEY, parent INTEGER REFERENCES parent DEFERRABLE INITIALLY DEFERRED)");
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

    private List<Integer> stored() throws SQLException {
        try (Connection reader = file.reader();
                Statement statement = reader.createStatement();
                var rows = statement.executeQuery("SELECT n FROM numbers ORDER BY n")) {
            List<Integer> all = new ArrayList<>();
            while (rows.next()) {
                all.add(rows.getInt(1));
            }
            return all;
        }
    }

    private static Optional<Boolean> insert(Session session, int number) throws SQLException {
        return session.update("INSERT INTO numbers (n) VALUES (?) ON CONFLICT DO NOTHING", number) == 1
                ? Optional.of(true)
                : Optional.empty();
    }

    /** All of these are waiting when one gets the turn. */
    private List<Future<Optional<Boolean>>> together(List<Work<Optional<Boolean>>> works) throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        Future<Optional<Boolean>> first = threads.submit(() -> writer.write(session -> {
            begun.countDown();
            awaits(go);
            return insert(session, 0);
        }));
        assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();
        List<Future<Optional<Boolean>>> all = new ArrayList<>();
        for (Work<Optional<Boolean>> work : works) {
            int before = writer.waiting();
            all.add(threads.submit(() -> writer.write(work)));
            while (writer.waiting() == before) {
                Thread.onSpinWait();
            }
        }
        go.countDown();
        assertThat(first.get(60, TimeUnit.SECONDS)).isPresent();
        return all;
    }

    private static void awaits(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    private static Optional<Boolean> result(Future<Optional<Boolean>> future) throws Exception {
        return future.get(60, TimeUnit.SECONDS);
    }

    @Test
    void thoseWhoWaitShareOneCommit() throws Exception {
        List<Future<Optional<Boolean>>> all = together(
                List.of(session -> insert(session, 1), session -> insert(session, 2), session -> insert(session, 3)));
        for (Future<Optional<Boolean>> each : all) {
            assertThat(result(each)).isPresent();
        }
        assertThat(stored()).containsExactly(0, 1, 2, 3);
        assertThat(counters.writes()).isEqualTo(2);
    }

    @Test
    void oneThatFailsLeavesNothingAndTakesNobodyWithIt() throws Exception {
        List<Future<Optional<Boolean>>> all = together(List.of(
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
        assertThat(result(all.get(0))).isPresent();
        assertThat(result(all.get(1))).isEmpty();
        assertThatThrownBy(() -> result(all.get(2))).hasRootCauseInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> result(all.get(3)))
                .isInstanceOf(ExecutionException.class)
                .hasRootCauseInstanceOf(SQLException.class);
        assertThat(result(all.get(4))).isPresent();
        assertThat(stored()).containsExactly(0, 1, 2);
    }

    @Test
    void ofTwoWhoWantTheSameTheFirstGetsIt() throws Exception {
        List<Future<Optional<Boolean>>> all =
                together(List.of(session -> insert(session, 7), session -> insert(session, 7)));
        assertThat(result(all.get(0))).isPresent();
        assertThat(result(all.get(1))).isEmpty();
    }

    /** A constraint that is checked at the commit stands for whatever may refuse one. */
    @Test
    void aCommitThatIsRefusedIsRefusedForAll() throws Exception {
        List<Future<Optional<Boolean>>> all = together(List.of(
                session -> insert(session, 1),
                session -> Optional.of(session.update("INSERT INTO numbers VALUES (2, 99)") == 1)));
        for (Future<Optional<Boolean>> each : all) {
            assertThatThrownBy(() -> result(each)).hasRootCauseInstanceOf(SQLException.class);
        }
        assertThat(stored()).containsExactly(0);
        assertThat(writer.write(session -> insert(session, 3))).isPresent();
    }

    @Test
    void aTransactionThatIsGoneAtTheCommitIsReportedAsUnknown() throws Exception {
        assertThatThrownBy(() -> writer.write(session -> {
                    insert(session, 1);
                    session.update("ROLLBACK");
                    return Optional.of(true);
                }))
                .isInstanceOf(OutcomeUnknown.class)
                .hasMessageContaining("look again");
        assertThat(writer.write(session -> insert(session, 2))).isPresent();
        assertThat(stored()).containsExactly(2);
    }

    @Test
    void aTransactionThatSqliteGaveUpIsUndoneForAll() throws Exception {
        List<Future<Optional<Boolean>>> all = together(List.of(
                session -> insert(session, 1),
                session -> {
                    session.update("ROLLBACK");
                    return Optional.of(true);
                },
                session -> insert(session, 2)));
        for (Future<Optional<Boolean>> each : all) {
            assertThatThrownBy(() -> result(each)).hasRootCauseInstanceOf(SQLException.class);
        }
        assertThat(stored()).containsExactly(0);
    }

    @Test
    void everyCommitIsOnTheDiskBeforeItReturns() throws SQLException {
        try (Statement statement = connection.createStatement();
                var row = statement.executeQuery("PRAGMA synchronous")) {
            assertThat(row.getInt(1)).as("2 is FULL").isEqualTo(2);
        }
    }
}
