package dev.escapement.storage.jdbc;

import dev.escapement.engine.port.Journal;
import java.sql.SQLException;
import java.util.Optional;
import java.util.function.Supplier;

/** Access to one database, SQLite or PostgreSQL. Thread-safe. */
public interface Backend extends AutoCloseable {

    /**
     * Reads committed data.
     *
     * @param what completes "cannot ..." in error messages
     */
    <T> T read(Supplier<String> what, TransactionBody<T> work);

    /**
     * Executes one transaction: commits if the body returns a value, rolls back if it returns empty or throws.
     *
     * @param what completes "cannot ..." in error messages
     * @throws dev.escapement.storage.problem.CommitOutcomeUnknownException if the connection broke during the commit
     */
    <T> Optional<T> write(Supplier<String> what, TransactionBody<Optional<T>> work);

    Dialect dialect();

    JournalTable journal();

    /** Notifies the subscribers of all servers that a change of this topic was committed; may merge notifications. */
    void publish(ChangeTopic topic);

    /**
     * Calls back soon after any server published the topic, sometimes without a change. The callback must not block.
     */
    Journal.Subscription subscribe(ChangeTopic topic, Runnable callback);

    boolean isUniqueViolation(SQLException error);

    /** Returns kind and location for messages, without user and password. */
    String describe();

    StatementCounters counters();

    @Override
    void close();
}
