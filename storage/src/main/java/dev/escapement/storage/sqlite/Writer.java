package dev.escapement.storage.sqlite;

import dev.escapement.storage.jdbc.Counters;
import dev.escapement.storage.jdbc.Problems;
import dev.escapement.storage.jdbc.Session;
import dev.escapement.storage.jdbc.Work;
import dev.escapement.storage.problem.OutcomeUnknown;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The one connection that writes. Whoever wants it waits in line. */
final class Writer {

    private static final Logger LOG = LoggerFactory.getLogger(Writer.class);

    private final ReentrantLock turn = new ReentrantLock(true);
    private final String database;
    private final Connection connection;
    private final Problems problems;
    private final Counters counters;
    private final Session session;

    Writer(String database, Connection connection, Problems problems, Counters counters) {
        this.database = database;
        this.connection = connection;
        this.problems = problems;
        this.counters = counters;
        this.session = new Session(new KeptStatements(connection), counters);
    }

    /** One transaction, kept if the work has a result. */
    <T> Optional<T> write(Work<Optional<T>> work) throws SQLException {
        turn.lock();
        try {
            // Immediate: the file is ours before the first look, so that nothing has to be tried again half way.
            execute("BEGIN IMMEDIATE");
            Optional<T> result = attempt(work);
            if (result.isPresent()) {
                commit();
            } else {
                execute("ROLLBACK");
            }
            return result;
        } finally {
            turn.unlock();
        }
    }

    private <T> Optional<T> attempt(Work<Optional<T>> work) throws SQLException {
        try {
            return work.on(session);
        } catch (SQLException | RuntimeException failed) {
            rollBack(failed);
            throw failed;
        }
    }

    private void commit() throws SQLException {
        try {
            execute("COMMIT");
            counters.wrote();
        } catch (SQLException failed) {
            rollBack(failed);
            if (problems.refusedCommit(failed)) {
                throw failed;
            }
            throw new OutcomeUnknown(
                    "%s failed during a commit (%s): look again to see whether it was made"
                            .formatted(database, failed.getMessage()),
                    failed);
        }
    }

    /** After some errors SQLite has rolled back by itself, and says that there is nothing to roll back. */
    private void rollBack(Throwable cause) {
        try {
            execute("ROLLBACK");
        } catch (SQLException nothingToDo) {
            LOG.debug("nothing to roll back after {}", cause.toString(), nothingToDo);
        }
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    void close() throws SQLException {
        turn.lock();
        try {
            connection.close();
        } finally {
            turn.unlock();
        }
    }
}
