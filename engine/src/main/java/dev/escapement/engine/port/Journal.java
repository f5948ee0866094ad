package dev.escapement.engine.port;

import dev.escapement.engine.journal.Transition;
import java.util.List;

/**
 * Every transition, once, in an order in which nothing ever appears before what was already read. The store writes it,
 * in the transaction of the change itself; this is how it is read.
 */
public interface Journal {

    /** Before the first record. */
    String START = "";

    /**
     * A record and its place.
     *
     * @param position opaque; only for {@link #read}
     */
    record Entry(String position, Transition transition) {}

    /**
     * What comes after a position, oldest first.
     *
     * @param after a position that an entry had, {@link #START}, or {@link #endPosition}
     * @param limit at most so many, at least 1
     * @throws IllegalArgumentException if that is no position
     */
    List<Entry> read(String after, int limit);

    /** The position of the newest record: what is written from now on comes after it. */
    String endPosition();

    /**
     * Calls back soon after something was appended, by whichever process; perhaps once for several records, perhaps for
     * nothing. The callback must not block.
     *
     * @return ends the subscription
     */
    Subscription onAppend(Runnable callback);

    /** Something to end. */
    interface Subscription extends AutoCloseable {
        @Override
        void close();
    }
}
