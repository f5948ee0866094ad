package dev.escapement.storage.jdbc;

import dev.escapement.engine.port.Journal;
import java.sql.SQLException;
import java.util.Optional;
import java.util.function.Supplier;

/** One of the two databases. */
public interface Backend extends AutoCloseable {

    /** Reads what is committed now. */
    <T> T read(Supplier<String> what, TransactionBody<T> work);

    /**
     * One transaction: committed if the work has a result, rolled back as a whole if it has none or fails.
     *
     * @throws dev.escapement.storage.problem.CommitOutcomeUnknownException if the connection broke during the commit
     *     itself
     */
    <T> Optional<T> write(Supplier<String> what, TransactionBody<Optional<T>> work);

    /** What differs in its SQL. */
    Dialect dialect();

    /** Its journal. */
    JournalTable journal();

    /** Something of this topic was committed: all servers are told, soon and perhaps once for several times. */
    void publish(ChangeTopic topic);

    /**
     * Calls back soon after something was announced by whichever server; perhaps for nothing. The callback must not
     * block.
     */
    Journal.Subscription subscribe(ChangeTopic topic, Runnable callback);

    /** Whether a statement was refused because something that must be unique is there already. */
    boolean isUniqueViolation(SQLException refused);

    /** Which database and where, for people. Never with a password. */
    String describe();

    /** What it was asked for so far. */
    StatementCounters counters();

    @Override
    void close();
}
