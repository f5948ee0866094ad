package dev.escapement.storage.sqlite;

import dev.escapement.storage.jdbc.Counters;
import dev.escapement.storage.jdbc.Problems;
import dev.escapement.storage.jdbc.Session;
import dev.escapement.storage.jdbc.Work;
import dev.escapement.storage.problem.OutcomeUnknown;
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
final class Writer {

    private static final Logger LOG = LoggerFactory.getLogger(Writer.class);

    /** So that the first of them does not wait for ever. */
    private static final int MOST = 100;

    private final ReentrantLock turn = new ReentrantLock(true);
    private final Queue<Pending<?>> waiting = new ConcurrentLinkedQueue<>();
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

    /** The work as a transaction, kept if it has a result. */
    <T> Optional<T> write(Work<Optional<T>> work) throws SQLException {
        Pending<T> mine = new Pending<>(work);
        waiting.add(mine);
        turn.lock();
        try {
            while (!mine.isDone()) {
                writeAll(next());
            }
            return mine.result();
        } finally {
            turn.unlock();
        }
    }

    /** How many have not had their turn. */
    int waiting() {
        return waiting.size();
    }

    private List<Pending<?>> next() {
        List<Pending<?>> next = new ArrayList<>();
        for (Pending<?> each = waiting.poll(); each != null; each = next.size() < MOST ? waiting.poll() : null) {
            next.add(each);
        }
        return next;
    }

    private void writeAll(List<Pending<?>> all) {
        try {
            // Immediate: the file is ours before the first look, so that nothing has to be tried again half way.
            execute("BEGIN IMMEDIATE");
            boolean anything = false;
            for (Pending<?> each : all) {
                anything |= all.size() == 1 ? each.isDoneWell(session) : isDoneWellApart(each);
            }
            if (!anything) {
                rollBack();
                return;
            }
        } catch (SQLException problem) {
            rollBack();
            all.forEach(each -> each.undone(problem));
            return;
        } catch (Error fatal) {
            rollBack();
            all.forEach(each -> each.undone(new SQLException("somebody else's work broke off", fatal)));
            throw fatal;
        }
        commit(all);
    }

    /** Throws if SQLite has given up the whole transaction. */
    private boolean isDoneWellApart(Pending<?> one) throws SQLException {
        execute("SAVEPOINT one");
        boolean well = one.isDoneWell(session);
        if (!well) {
            execute("ROLLBACK TO one");
        }
        execute("RELEASE one");
        return well;
    }

    private void commit(List<Pending<?>> all) {
        try {
            execute("COMMIT");
            counters.wrote();
        } catch (SQLException problem) {
            rollBack();
            if (problems.refusedCommit(problem)) {
                all.forEach(each -> each.undone(problem));
            } else {
                OutcomeUnknown unknown = new OutcomeUnknown(
                        "%s failed during a commit (%s): look again to see whether it was made"
                                .formatted(database, problem.getMessage()),
                        problem);
                all.forEach(each -> each.lost(unknown));
            }
        }
    }

    /** After some errors SQLite has rolled back by itself, and says that there is nothing to roll back. */
    private void rollBack() {
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
        turn.lock();
        try {
            connection.close();
        } finally {
            turn.unlock();
        }
    }
}
