package dev.escapement.engine.port;

import dev.escapement.engine.journal.Transition;
import java.util.List;

/**
 * Reads the transitions, each once, in an order in which no record ever appears before one that was already read. The
 * store writes them in the transaction of the change itself.
 */
public interface Journal {

    /** The position before the first record. */
    String START = "";

    /**
     * A record and its position.
     *
     * @param position opaque; only for {@link #read}
     */
    record Entry(String position, Transition transition) {}

    /**
     * Reads the records after a position, oldest first.
     *
     * @param after the position of an entry, {@link #START}, or {@link #endPosition}
     * @param limit the maximum number of records, from 1
     * @throws IllegalArgumentException if the position is invalid
     */
    List<Entry> read(String after, int limit);

    /** Returns the position of the newest record. */
    String endPosition();

    /**
     * Calls back soon after records were appended by any process: possibly once for several records, possibly without a
     * new one. The callback must not block.
     */
    Subscription onAppend(Runnable callback);

    interface Subscription extends AutoCloseable {
        @Override
        void close();
    }
}
