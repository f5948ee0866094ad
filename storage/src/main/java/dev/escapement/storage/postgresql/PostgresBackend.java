package dev.escapement.storage.postgresql;

import dev.escapement.engine.port.Journal;
import dev.escapement.storage.jdbc.Backend;
import dev.escapement.storage.jdbc.Backend.ChangeTopic;
import dev.escapement.storage.jdbc.Dialect;
import dev.escapement.storage.jdbc.JournalTable;
import dev.escapement.storage.jdbc.SqlFunction;
import dev.escapement.storage.jdbc.SqlSession;
import dev.escapement.storage.problem.StorageException.CommitOutcomeUnknownException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@link Backend} on a PostgreSQL database that several servers may share. */
final class PostgresBackend extends Backend {

    private static final Logger LOG = LoggerFactory.getLogger(PostgresBackend.class);

    private static final Dialect DIALECT = new Dialect(
            "nextval('row_version')",
            "nextval('row_version')",
            "CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)",
            "CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint)",
            " FOR UPDATE",
            " FOR UPDATE SKIP LOCKED",
            "GREATEST",
            columns -> "json_to_recordset(CAST(? AS json)) AS batch(" + String.join(", ", columns) + ")");

    private final PostgresAddress address;
    private final PostgresConnectionPools pools;
    private final PostgresJournal journal;
    private final PostgresNotifier notifier;
    private final Object listenerLock = new Object();
    private Optional<PostgresNotificationListener> listener = Optional.empty();

    PostgresBackend(PostgresAddress address, PostgresConnectionPools pools, int epoch) {
        super(address.toString(), DIALECT, new PostgresErrorClassifier());
        this.address = address;
        this.pools = pools;
        this.notifier = new PostgresNotifier(pools);
        this.journal = new PostgresJournal(epoch, notifier::awaitSent);
    }

    @Override
    protected <T> T tryRead(SqlFunction<SqlSession, T> body) throws SQLException {
        return withSession(pools.readerPool().getConnection(), body);
    }

    @Override
    protected <T> Optional<T> tryWrite(Supplier<String> what, SqlFunction<SqlSession, Optional<T>> body)
            throws SQLException {
        Connection connection = pools.writerPool().getConnection();
        return withSession(connection, session -> runTransaction(what, connection, session, body));
    }

    /** Not try-with-resources: an error while returning the connection must not hide a commit, nor repeat it. */
    private <T> T withSession(Connection connection, SqlFunction<SqlSession, T> body) throws SQLException {
        try {
            return body.apply(PostgresConnectionPools.session(connection, counters));
        } catch (SQLException failed) {
            pools.evictIfConnectionFailed(failed);
            throw failed;
        } finally {
            SqlSession.closeQuietly(connection);
        }
    }

    private <T> Optional<T> runTransaction(
            Supplier<String> what, Connection connection, SqlSession session, SqlFunction<SqlSession, Optional<T>> body)
            throws SQLException {
        Optional<T> result;
        try {
            result = body.apply(session);
        } catch (SQLException | RuntimeException failed) {
            rollbackQuietly(connection);
            throw failed;
        }
        if (result.isPresent()) {
            commit(what, connection);
        } else {
            connection.rollback();
        }
        return result;
    }

    private void commit(Supplier<String> what, Connection connection) throws SQLException {
        try {
            connection.commit();
            counters.countWrite();
        } catch (SQLException failed) {
            if (errorClassifier.isCommitRejected(failed)) {
                throw failed;
            }
            throw new CommitOutcomeUnknownException(
                    "commit to %s failed (%s) and may have been made: %s; read again to find out"
                            .formatted(address, failed.getMessage(), what.get()),
                    failed);
        }
    }

    /** If the rollback fails, the connection is broken and PostgreSQL rolls back by itself. */
    private static void rollbackQuietly(Connection connection) {
        try {
            connection.rollback();
        } catch (SQLException broken) {
            LOG.debug("Rollback failed: the connection is broken", broken);
        }
    }

    @Override
    public JournalTable journal() {
        return journal;
    }

    @Override
    public void publish(ChangeTopic topic) {
        super.publish(topic);
        notifier.enqueue(topic);
    }

    @Override
    public Journal.Subscription subscribe(ChangeTopic topic, Runnable callback) {
        Journal.Subscription subscription = super.subscribe(topic, callback);
        synchronized (listenerLock) {
            if (listener.isEmpty()) {
                listener = Optional.of(new PostgresNotificationListener(address, journal, subscribers));
            }
        }
        return subscription;
    }

    @Override
    public void close() {
        super.close();
        synchronized (listenerLock) {
            listener.ifPresent(PostgresNotificationListener::close);
        }
        notifier.close();
        pools.close();
    }
}
