package dev.escapement.storage.jdbc;

import dev.escapement.backoff.Backoff;
import dev.escapement.engine.port.Journal;
import dev.escapement.storage.jdbc.SqlErrorClassifier.ErrorKind;
import dev.escapement.storage.problem.StorageException;
import dev.escapement.storage.problem.StorageException.StorageUnavailableException;
import dev.escapement.storage.problem.StorageException.UnexpectedStorageException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Access to one database, SQLite or PostgreSQL. Retries operations after transient errors, and converts the final error
 * to a {@link dev.escapement.storage.problem.StorageException}. Thread-safe.
 */
public abstract class Backend implements AutoCloseable {

    /** One attempt at an operation. If it throws {@link SQLException}, it has changed nothing. */
    private interface Attempt<T> {
        T execute() throws SQLException;
    }

    private static final int MAX_ATTEMPTS = 6;

    /** A second attempt gets a new connection; more would take longer than the time until the next renewal. */
    private static final int MAX_LEASE_ATTEMPTS = 2;

    private static final Backoff RETRY_BACKOFF = Backoff.builder()
            .base(Duration.ofMillis(5))
            .max(Duration.ofMillis(500))
            .multiplier(3)
            .build();

    protected final SqlErrorClassifier errorClassifier;
    private final WriteHealth writeHealth = new WriteHealth(System::nanoTime);
    protected final StatementCounters counters = new StatementCounters();
    protected final TopicSubscribers subscribers = new TopicSubscribers();
    private final String description;
    private final Dialect dialect;
    private final CountDownLatch closed = new CountDownLatch(1);

    /** @param description kind and location for messages, without user and password */
    protected Backend(String description, Dialect dialect, SqlErrorClassifier errorClassifier) {
        this.description = description;
        this.dialect = dialect;
        this.errorClassifier = errorClassifier;
    }

    /**
     * Reads committed data.
     *
     * @param what completes "cannot ..." in error messages
     * @param body may be executed several times
     */
    public final <T> T read(Supplier<String> what, SqlFunction<SqlSession, T> body) {
        return retry(what, MAX_ATTEMPTS, () -> tryRead(body));
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
        return recordHealth(() -> retry(what, MAX_ATTEMPTS, () -> tryWrite(what, body)));
    }

    /**
     * Executes one transaction as {@link #write} does, but without waiting for connections that other operations use,
     * and with short timeouts. Only for statements that keep the lease of this server.
     */
    public final <T> Optional<T> writeLease(Supplier<String> what, SqlFunction<SqlSession, Optional<T>> body) {
        return recordHealth(() -> retry(what, MAX_LEASE_ATTEMPTS, () -> tryWriteLease(what, body)));
    }

    /**
     * Returns why this server cannot write, or why recent writes failed; empty if all is well. The text has no details
     * that a caller without rights must not see.
     *
     * @throws dev.escapement.storage.problem.StorageException if the database does not answer
     */
    public final Optional<String> findWriteProblem() {
        Supplier<String> what = () -> "check that the database accepts writes";
        try {
            retry(
                    what,
                    MAX_LEASE_ATTEMPTS,
                    () -> tryWriteLease(what, session -> {
                        requireWritable(session);
                        return Optional.empty();
                    }));
        } catch (StorageUnavailableException failed) {
            if (failed.getCause() instanceof SQLException cause && errorClassifier.isReadOnly(cause)) {
                return Optional.of("accepts no writes");
            }
            throw failed;
        }
        return writeHealth.problem();
    }

    private <T> Optional<T> recordHealth(Supplier<Optional<T>> write) {
        try {
            Optional<T> result = write.get();
            writeHealth.recordSuccess();
            return result;
        } catch (StorageException failed) {
            // A body may reject a document that it cannot read: that is no failure of the database.
            if (failed.getCause() instanceof SQLException) {
                writeHealth.recordFailure();
            }
            throw failed;
        }
    }

    private <T> T retry(Supplier<String> what, int maxAttempts, Attempt<T> operation) {
        for (int attempt = 1; ; attempt++) {
            try {
                return operation.execute();
            } catch (SQLException failed) {
                ErrorKind kind = errorClassifier.classify(failed);
                if (kind != ErrorKind.TRANSIENT || attempt == maxAttempts || isClosedAfterDelay(attempt)) {
                    if (kind == ErrorKind.CORRUPTED) {
                        writeHealth.recordDamage();
                    }
                    throw toException(what.get(), kind, attempt, failed);
                }
            }
        }
    }

    private boolean isClosedAfterDelay(int attempt) {
        try {
            return closed.await(RETRY_BACKOFF.delayNanos(attempt), TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    private RuntimeException toException(String what, ErrorKind kind, int attempts, SQLException failed) {
        String message = "cannot %s: %s: %s".formatted(what, description, failed.getMessage());
        return switch (kind) {
            case TRANSIENT ->
                new StorageUnavailableException(message + " (attempts=" + attempts + "); try again later", failed);
            case UNAVAILABLE ->
                new StorageUnavailableException(message + "; nothing was changed, try again later", failed);
            case CORRUPTED ->
                new UnexpectedStorageException(
                        message + "; the database is damaged: repair it or restore it from a backup", failed);
            case UNEXPECTED -> new UnexpectedStorageException(message + "; nothing was changed", failed);
        };
    }

    protected abstract <T> T tryRead(SqlFunction<SqlSession, T> body) throws SQLException;

    /** Executes a transaction once. If it throws {@link SQLException}, nothing was changed. */
    protected abstract <T> Optional<T> tryWrite(Supplier<String> what, SqlFunction<SqlSession, Optional<T>> body)
            throws SQLException;

    /** As {@link #tryWrite}, on a connection that no other operation uses, if the database has several. */
    protected <T> Optional<T> tryWriteLease(Supplier<String> what, SqlFunction<SqlSession, Optional<T>> body)
            throws SQLException {
        return tryWrite(what, body);
    }

    /** Throws if this connection cannot write, as far as this is known without writing. */
    protected void requireWritable(SqlSession session) throws SQLException {}

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

    /** Closes the database after operations in progress have finished; from now on they are not retried. */
    @Override
    public void close() {
        closed.countDown();
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
