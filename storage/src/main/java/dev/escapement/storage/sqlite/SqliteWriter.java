package dev.escapement.storage.sqlite;

import dev.escapement.storage.jdbc.SqlErrorClassifier;
import dev.escapement.storage.jdbc.SqlFunction;
import dev.escapement.storage.jdbc.SqlSession;
import dev.escapement.storage.jdbc.StatementCounters;
import dev.escapement.storage.problem.StorageException.CommitOutcomeUnknownException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The only connection that writes. A commit waits for the disk, so the thread with the lock commits all queued
 * transactions at once: each in its own savepoint, so that a failed one does not affect the others. No caller gets its
 * result before it is on disk. Thread-safe.
 */
final class SqliteWriter {

    private static final Logger LOG = LoggerFactory.getLogger(SqliteWriter.class);

    /** Limits how long the first transaction of a batch waits for the others. */
    private static final int MAX_BATCH_SIZE = 100;

    private final ReentrantLock writeLock = new ReentrantLock(true);
    private final Queue<QueuedWrite<?>> queue = new ConcurrentLinkedQueue<>();
    private final String database;
    private final Connection connection;
    private final SqlErrorClassifier errorClassifier;
    private final StatementCounters counters;
    private final SqlSession session;

    SqliteWriter(
            String database, Connection connection, SqlErrorClassifier errorClassifier, StatementCounters counters) {
        this.database = database;
        this.connection = connection;
        this.errorClassifier = errorClassifier;
        this.counters = counters;
        this.session = new SqlSession(connection, counters, SqliteFile.MAX_CACHED_STATEMENTS);
    }

    /** Executes a transaction; commits it if it returns a value. */
    <T> Optional<T> write(SqlFunction<SqlSession, Optional<T>> body) throws SQLException {
        QueuedWrite<T> write = new QueuedWrite<>(body);
        queue.add(write);
        writeLock.lock();
        try {
            while (!write.done) {
                writeBatch(takeBatch());
            }
            return write.result();
        } finally {
            writeLock.unlock();
        }
    }

    int queueLength() {
        return queue.size();
    }

    private List<QueuedWrite<?>> takeBatch() {
        List<QueuedWrite<?>> batch = new ArrayList<>();
        for (QueuedWrite<?> write = queue.poll();
                write != null;
                write = batch.size() < MAX_BATCH_SIZE ? queue.poll() : null) {
            batch.add(write);
        }
        return batch;
    }

    private void writeBatch(List<QueuedWrite<?>> batch) {
        try {
            // Immediate: takes the write lock before the first read, so that no transaction has to be restarted.
            execute("BEGIN IMMEDIATE");
            boolean changed = false;
            for (QueuedWrite<?> write : batch) {
                changed |= batch.size() == 1 ? write.execute(session) : executeInSavepoint(write);
            }
            if (!changed) {
                rollbackQuietly();
                return;
            }
        } catch (SQLException error) {
            rollbackQuietly();
            batch.forEach(write -> write.fail(error));
            return;
        } catch (Error fatal) {
            rollbackQuietly();
            batch.forEach(write ->
                    write.fail(new SQLException("another transaction of the batch failed with " + fatal, fatal)));
            throw fatal;
        }
        commit(batch);
    }

    /** Throws if SQLite has rolled back the whole transaction. */
    private boolean executeInSavepoint(QueuedWrite<?> write) throws SQLException {
        execute("SAVEPOINT one");
        boolean changed = write.execute(session);
        if (!changed) {
            execute("ROLLBACK TO one");
        }
        execute("RELEASE one");
        return changed;
    }

    private void commit(List<QueuedWrite<?>> batch) {
        try {
            execute("COMMIT");
            counters.countWrite();
        } catch (SQLException error) {
            rollbackQuietly();
            Exception failure = errorClassifier.isCommitRejected(error)
                    ? error
                    : new CommitOutcomeUnknownException(
                            "commit to %s failed (%s) and may have been made: read again to find out"
                                    .formatted(database, error.getMessage()),
                            error);
            batch.forEach(write -> write.fail(failure));
        }
    }

    /** After some errors SQLite has rolled back already and reports that there is no transaction. */
    private void rollbackQuietly() {
        try {
            execute("ROLLBACK");
        } catch (SQLException alreadyRolledBack) {
            LOG.debug("Transaction was rolled back already", alreadyRolledBack);
        }
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    void close() throws SQLException {
        writeLock.lock();
        try {
            connection.close();
        } finally {
            writeLock.unlock();
        }
    }

    /** A transaction in the writer's queue, and its result. Used only by the thread that holds the write lock. */
    static final class QueuedWrite<T> {

        private final SqlFunction<SqlSession, Optional<T>> body;
        private Optional<T> result = Optional.empty();
        private Optional<Exception> failure = Optional.empty();
        private boolean done;

        QueuedWrite(SqlFunction<SqlSession, Optional<T>> body) {
            this.body = body;
        }

        /** Executes the transaction and returns whether it has a result to commit. */
        boolean execute(SqlSession session) {
            done = true;
            try {
                result = body.apply(session);
            } catch (SQLException | RuntimeException error) {
                failure = Optional.of(error);
            }
            return result.isPresent();
        }

        /** Replaces the result: the whole batch was rolled back, or the outcome of its commit is unknown. */
        void fail(Exception error) {
            failure = Optional.of(error);
            done = true;
        }

        Optional<T> result() throws SQLException {
            if (failure.isPresent()) {
                if (failure.get() instanceof SQLException error) {
                    throw error;
                }
                throw (RuntimeException) failure.get();
            }
            return result;
        }
    }
}
