package dev.escapement.storage.postgresql;

import dev.escapement.engine.port.Journal;
import dev.escapement.storage.jdbc.Backend;
import dev.escapement.storage.jdbc.Batches;
import dev.escapement.storage.jdbc.Counters;
import dev.escapement.storage.jdbc.Dialect;
import dev.escapement.storage.jdbc.JournalTable;
import dev.escapement.storage.jdbc.Problems;
import dev.escapement.storage.jdbc.Retries;
import dev.escapement.storage.jdbc.Session;
import dev.escapement.storage.jdbc.Subscribers;
import dev.escapement.storage.jdbc.Topic;
import dev.escapement.storage.jdbc.Work;
import dev.escapement.storage.problem.OutcomeUnknown;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The ports on a PostgreSQL that several servers may share. */
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
            Batches.POSTGRESQL);

    private final PostgresAddress address;
    private final Pools pools;
    private final PostgresJournal journal;
    private final Problems problems = new PostgresProblems();
    private final Counters counters = new Counters();
    private final Map<Topic, Subscribers> subscribers = Subscribers.ofEachTopic();
    private final Retries retries;
    private final Notifier notifier;
    private final Object starting = new Object();
    private Optional<Listener> listener = Optional.empty();

    PostgresBackend(PostgresAddress address, Pools pools, int era) {
        this.address = address;
        this.pools = pools;
        this.retries = new Retries(describe(), problems);
        this.notifier = new Notifier(pools);
        this.journal = new PostgresJournal(era, notifier::awaitSent);
    }

    @Override
    public <T> T read(Supplier<String> what, Work<T> work) {
        return retries.run(what, () -> {
            Connection connection = pools.reader();
            try {
                return work.on(new Session(Pools.statements(connection), counters));
            } catch (SQLException failed) {
                pools.doubt(failed);
                throw failed;
            } finally {
                Pools.quietly(connection);
            }
        });
    }

    @Override
    public <T> Optional<T> write(Supplier<String> what, Work<Optional<T>> work) {
        return retries.run(what, () -> {
            Connection connection = pools.writer();
            // Not with try: an error while giving the connection back must not hide a commit, nor repeat it.
            try {
                return transaction(what, connection, work);
            } catch (SQLException failed) {
                pools.doubt(failed);
                throw failed;
            } finally {
                Pools.quietly(connection);
            }
        });
    }

    private <T> Optional<T> transaction(Supplier<String> what, Connection connection, Work<Optional<T>> work)
            throws SQLException {
        Optional<T> result;
        try {
            result = work.on(new Session(Pools.statements(connection), counters));
        } catch (SQLException | RuntimeException failed) {
            rollBack(connection);
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
            counters.wrote();
        } catch (SQLException failed) {
            if (problems.refusedCommit(failed)) {
                throw failed;
            }
            throw new OutcomeUnknown(
                    "%s: the connection broke while committing (%s), so it is not known whether this was made: %s; look again"
                            .formatted(address, failed.getMessage(), what.get()),
                    failed);
        }
    }

    /** If even this fails the connection is broken, and PostgreSQL rolls back by itself. */
    private static void rollBack(Connection connection) {
        try {
            connection.rollback();
        } catch (SQLException broken) {
            LOG.debug("could not roll back: the connection is broken", broken);
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
    public void announce(Topic topic) {
        Subscribers.of(subscribers, topic).call();
        notifier.tell(topic);
    }

    @Override
    public Journal.Subscription subscribe(Topic topic, Runnable callback) {
        Journal.Subscription subscription = Subscribers.of(subscribers, topic).add(callback);
        synchronized (starting) {
            if (listener.isEmpty()) {
                listener = Optional.of(new Listener(address, journal, subscribers));
            }
        }
        return subscription;
    }

    @Override
    public boolean isDuplicate(SQLException refused) {
        return PostgresProblems.state(refused).equals("23505");
    }

    @Override
    public String describe() {
        return address.toString();
    }

    @Override
    public Counters counters() {
        return counters;
    }

    @Override
    public void close() {
        retries.close();
        synchronized (starting) {
            listener.ifPresent(Listener::close);
        }
        notifier.close();
        pools.close();
    }
}
