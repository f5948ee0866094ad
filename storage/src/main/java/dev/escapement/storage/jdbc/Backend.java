package dev.escapement.storage.jdbc;

import dev.escapement.engine.port.Journal;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Access to one database, SQLite or PostgreSQL. Thread-safe. */
public abstract class Backend implements AutoCloseable {

    protected final SqlErrorClassifier errorClassifier;
    protected final StatementCounters counters = new StatementCounters();
    protected final TopicSubscribers subscribers = new TopicSubscribers();
    private final String description;
    private final Dialect dialect;
    private final SqlRetrier retrier;

    /** @param description kind and location for messages, without user and password */
    protected Backend(String description, Dialect dialect, SqlErrorClassifier errorClassifier) {
        this.description = description;
        this.dialect = dialect;
        this.errorClassifier = errorClassifier;
        this.retrier = new SqlRetrier(description, errorClassifier);
    }

    /**
     * Reads committed data.
     *
     * @param what completes "cannot ..." in error messages
     * @param body may be executed several times
     */
    public final <T> T read(Supplier<String> what, SqlFunction<SqlSession, T> body) {
        return retrier.run(what, () -> tryRead(body));
    }

    /**
     * Executes one transaction: commits if the body returns a value, rolls back if it returns empty or throws.
     *
     * @param what completes "cannot ..." in error messages
     * @param body may be executed several times, so it must change nothing but the database
     * @throws dev.escapement.storage.problem.StorageException.CommitOutcomeUnknownException if the connection broke
     *     during the commit
     */
    public final <T> Optional<T> write(Supplier<String> what, SqlFunction<SqlSession, Optional<T>> body) {
        return retrier.run(what, () -> tryWrite(what, body));
    }

    protected abstract <T> T tryRead(SqlFunction<SqlSession, T> body) throws SQLException;

    /** Executes a transaction once. If it throws {@link SQLException}, nothing was changed. */
    protected abstract <T> Optional<T> tryWrite(Supplier<String> what, SqlFunction<SqlSession, Optional<T>> body)
            throws SQLException;

    public final Dialect dialect() {
        return dialect;
    }

    public abstract JournalTable journal();

    /** Notifies the subscribers of all servers that a change of this topic was committed; may merge notifications. */
    public void publish(ChangeTopic topic) {
        subscribers.notifySubscribers(topic);
    }

    /**
     * Calls back soon after any server published the topic, sometimes without a change. The callback must not block.
     */
    public Journal.Subscription subscribe(ChangeTopic topic, Runnable callback) {
        return subscribers.add(topic, callback);
    }

    public final boolean isUniqueViolation(SQLException error) {
        return errorClassifier.isUniqueViolation(error);
    }

    /** Returns kind and location for messages, without user and password. */
    @Override
    public final String toString() {
        return description;
    }

    public final StatementCounters counters() {
        return counters;
    }

    /** Closes the database after operations in progress have finished. */
    @Override
    public void close() {
        retrier.close();
    }

    /** Topics of the notifications that servers sharing a database send each other. */
    public enum ChangeTopic {
        /** The journal has new records. */
        JOURNAL,
        /** An endpoint was changed and may be due earlier than before. */
        ENDPOINTS
    }

    /** The callbacks subscribed to {@link ChangeTopic topics}. Thread-safe. */
    public static final class TopicSubscribers {

        private static final Logger LOG = LoggerFactory.getLogger(TopicSubscribers.class);

        /** The identity keeps two subscriptions of the same callback apart. */
        private record Subscriber(ChangeTopic topic, Runnable callback, Object identity) {}

        private final List<Subscriber> subscribers = new CopyOnWriteArrayList<>();

        Journal.Subscription add(ChangeTopic topic, Runnable callback) {
            Subscriber subscriber = new Subscriber(topic, callback, new Object());
            subscribers.add(subscriber);
            return () -> subscribers.remove(subscriber);
        }

        /** Calls all callbacks of a topic. Logs what they throw: the change is committed already. */
        public void notifySubscribers(ChangeTopic topic) {
            for (Subscriber each : subscribers) {
                try {
                    if (each.topic() == topic) {
                        each.callback().run();
                    }
                } catch (RuntimeException failed) {
                    LOG.error("Subscriber failed; it will be called again with the next notification", failed);
                }
            }
        }
    }
}
