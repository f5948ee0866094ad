package dev.escapement.storage.postgresql;

import dev.escapement.engine.port.Journal;
import dev.escapement.storage.jdbc.Backend;
import dev.escapement.storage.jdbc.BatchSyntax;
import dev.escapement.storage.jdbc.ChangeTopic;
import dev.escapement.storage.jdbc.Dialect;
import dev.escapement.storage.jdbc.JournalTable;
import dev.escapement.storage.jdbc.SqlErrorClassifier;
import dev.escapement.storage.jdbc.SqlRetrier;
import dev.escapement.storage.jdbc.SqlSession;
import dev.escapement.storage.jdbc.StatementCounters;
import dev.escapement.storage.jdbc.TopicSubscribers;
import dev.escapement.storage.jdbc.TransactionBody;
import dev.escapement.storage.problem.CommitOutcomeUnknownException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@link Backend} on a PostgreSQL database that several servers may share. */
final class PostgresBackend implements Backend {

    private static final Logger LOG = LoggerFactory.getLogger(PostgresBackend.class);

    private static final Dialect DIALECT = new Dialect(
            "nextval('row_version')",
            "nextval('row_version')",
            "CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)",
            "CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint)",
            " FOR UPDATE",
            " FOR UPDATE SKIP LOCKED",
            "GREATEST",
            BatchSyntax.POSTGRESQL);

    private final PostgresAddress address;
    private final PostgresConnectionPools pools;
    private final PostgresJournal journal;
    private final SqlErrorClassifier errorClassifier = new PostgresErrorClassifier();
    private final StatementCounters counters = new StatementCounters();
    private final Map<ChangeTopic, TopicSubscribers> subscribers = TopicSubscribers.byTopic();
    private final SqlRetrier retrier;
    private final PostgresNotifier notifier;
    private final Object listenerLock = new Object();
    private Optional<PostgresNotificationListener> listener = Optional.empty();

    PostgresBackend(PostgresAddress address, PostgresConnectionPools pools, int epoch) {
        this.address = address;
        this.pools = pools;
        this.retrier = new SqlRetrier(describe(), errorClassifier);
        this.notifier = new PostgresNotifier(pools);
        this.journal = new PostgresJournal(epoch, notifier::awaitSent);
    }

    @Override
    public <T> T read(Supplier<String> what, TransactionBody<T> body) {
        return retrier.run(
                what,
                () -> withConnection(
                        pools.readerConnection(),
                        connection -> body.execute(
                                new SqlSession(PostgresConnectionPools.statementSource(connection), counters))));
    }

    @Override
    public <T> Optional<T> write(Supplier<String> what, TransactionBody<Optional<T>> body) {
        return retrier.run(
                what,
                () -> withConnection(pools.writerConnection(), connection -> runTransaction(what, connection, body)));
    }

    private interface ConnectionUse<T> {
        T apply(Connection connection) throws SQLException;
    }

    /** Not try-with-resources: an error while returning the connection must not hide a commit, nor repeat it. */
    private <T> T withConnection(Connection connection, ConnectionUse<T> use) throws SQLException {
        try {
            return use.apply(connection);
        } catch (SQLException failed) {
            pools.evictIfConnectionFailed(failed);
            throw failed;
        } finally {
            PostgresConnectionPools.closeQuietly(connection);
        }
    }

    private <T> Optional<T> runTransaction(
            Supplier<String> what, Connection connection, TransactionBody<Optional<T>> body) throws SQLException {
        Optional<T> result;
        try {
            result = body.execute(new SqlSession(PostgresConnectionPools.statementSource(connection), counters));
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
    public Dialect dialect() {
        return DIALECT;
    }

    @Override
    public JournalTable journal() {
        return journal;
    }

    @Override
    public void publish(ChangeTopic topic) {
        TopicSubscribers.forTopic(subscribers, topic).notifySubscribers();
        notifier.enqueue(topic);
    }

    @Override
    public Journal.Subscription subscribe(ChangeTopic topic, Runnable callback) {
        Journal.Subscription subscription =
                TopicSubscribers.forTopic(subscribers, topic).add(callback);
        synchronized (listenerLock) {
            if (listener.isEmpty()) {
                listener = Optional.of(new PostgresNotificationListener(address, journal, subscribers));
            }
        }
        return subscription;
    }

    @Override
    public boolean isUniqueViolation(SQLException error) {
        return PostgresErrorClassifier.sqlState(error).equals("23505");
    }

    @Override
    public String describe() {
        return address.toString();
    }

    @Override
    public StatementCounters counters() {
        return counters;
    }

    @Override
    public void close() {
        retrier.close();
        synchronized (listenerLock) {
            listener.ifPresent(PostgresNotificationListener::close);
        }
        notifier.close();
        pools.close();
    }
}
