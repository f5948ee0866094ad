package dev.escapement.storage.sqlite;

import dev.escapement.storage.jdbc.SqlErrorClassifier;
import dev.escapement.storage.jdbc.SqlSession;
import dev.escapement.storage.jdbc.StatementCounters;
import dev.escapement.storage.jdbc.TransactionBody;
import dev.escapement.storage.problem.CommitOutcomeUnknownException;
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
 * The one connection that writes. A commit waits for the disk, so whoever has the turn commits for all who came
 * meanwhile: each in a savepoint of its own, so that one that fails takes nobody with it. Nobody is told of a result
 * before it is on the disk.
 */
final class SqliteWriter {

    private static final Logger LOG = LoggerFactory.getLogger(SqliteWriter.class);

    /** So that the first of them does not wait for ever. */
    private static final int MAX_BATCH_SIZE = 100;

    private final ReentrantLock writeLock = new ReentrantLock(true);
    private final Queue<QueuedWrite<?>> queue = new ConcurrentLinkedQueue<>();
    private final String database;
    private final Connection connection;
    private final SqlErrorClassifier errorClassifier;
    private final StatementCounters counters;
    private final SqlSession session;

    SqliteWriter(String database, Connection connection, SqlErrorClassifier problems, StatementCounters counters) {
        this.database = database;
        this.connection = connection;
        this.errorClassifier = problems;
        this.counters = counters;
        this.session = new SqlSession(new StatementCache(connection), counters);
    }

    /** The work as a transaction, kept if it has a result. */
    <T> Optional<T> write(TransactionBody<Optional<T>> work) throws SQLException {
        QueuedWrite<T> mine = new QueuedWrite<>(work);
        queue.add(mine);
        writeLock.lock();
        try {
            while (!mine.isDone()) {
                writeBatch(takeBatch());
            }
            return mine.result();
        } finally {
            writeLock.unlock();
        }
    }

    /** How many have not had their turn. */
    int queueLength() {
        return queue.size();
    }

    private List<QueuedWrite<?>> takeBatch() {
        List<QueuedWrite<?>> next = new ArrayList<>();
        for (QueuedWrite<?> each = queue.poll();
                each != null;
                each = next.size() < MAX_BATCH_SIZE ? queue.poll() : null) {
            next.add(each);
        }
        return next;
    }

    private void writeBatch(List<QueuedWrite<?>> all) {
        try {
            // Immediate: the file is ours before the first look, so that nothing has to be tried again half way.
            execute("BEGIN IMMEDIATE");
            boolean anything = false;
            for (QueuedWrite<?> each : all) {
                anything |= all.size() == 1 ? each.execute(session) : executeInSavepoint(each);
            }
            if (!anything) {
                rollbackQuietly();
                return;
            }
        } catch (SQLException problem) {
            rollbackQuietly();
            all.forEach(each -> each.markRolledBack(problem));
            return;
        } catch (Error fatal) {
            rollbackQuietly();
            all.forEach(each -> each.markRolledBack(new SQLException("somebody else's work broke off", fatal)));
            throw fatal;
        }
        commit(all);
    }

    /** Throws if SQLite has given up the whole transaction. */
    private boolean executeInSavepoint(QueuedWrite<?> one) throws SQLException {
        execute("SAVEPOINT one");
        boolean well = one.execute(session);
        if (!well) {
            execute("ROLLBACK TO one");
        }
        execute("RELEASE one");
        return well;
    }

    private void commit(List<QueuedWrite<?>> all) {
        try {
            execute("COMMIT");
            counters.countWrite();
        } catch (SQLException problem) {
            rollbackQuietly();
            if (errorClassifier.isCommitRejected(problem)) {
                all.forEach(each -> each.markRolledBack(problem));
            } else {
                CommitOutcomeUnknownException unknown = new CommitOutcomeUnknownException(
                        "%s failed during a commit (%s): look again to see whether it was made"
                                .formatted(database, problem.getMessage()),
                        problem);
                all.forEach(each -> each.markOutcomeUnknown(unknown));
            }
        }
    }

    /** After some errors SQLite has rolled back by itself, and says that there is nothing to roll back. */
    private void rollbackQuietly() {
        try {
            execute("ROLLBACK");
        } catch (SQLException nothingToDo) {
            LOG.debug("nothing to roll back", nothingToDo);
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
}
