package dev.escapement.storage.jdbc;

import dev.escapement.engine.port.Journal;
import java.util.Optional;
import java.util.function.Supplier;

/** One of the two databases. */
public interface Backend extends AutoCloseable {

    /** Reads what is committed now. */
    <T> T read(Supplier<String> what, Work<T> work);

    /**
     * One transaction: committed if the work has a result, rolled back as a whole if it has none or fails.
     *
     * @throws dev.escapement.storage.problem.OutcomeUnknown if the connection broke during the commit itself
     */
    <T> Optional<T> write(Supplier<String> what, Work<Optional<T>> work);

    /** What differs in its SQL. */
    Dialect dialect();

    /** Its journal. */
    JournalTable journal();

    /** Something was appended to the journal, and committed. */
    void appended();

    /** As {@link Journal#onAppend}. */
    Journal.Subscription onAppend(Runnable callback);

    /** Which database and where, for people. Never with a password. */
    String describe();

    /** What it was asked for so far. */
    Counters counters();

    @Override
    void close();
}
