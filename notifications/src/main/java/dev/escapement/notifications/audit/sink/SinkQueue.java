package dev.escapement.notifications.audit.sink;

import java.util.List;
import java.util.Optional;

/** The records that the sink has not confirmed, in order, and those that it refused. One thread sends them. */
public interface SinkQueue {

    /** A record as JSON. Numbers grow in the order of the queue. */
    record Item(long sequence, String document) {}

    /** Returns the number of the last record that the sink has confirmed or refused. */
    long position();

    /** Reads the records after a position, in order. */
    List<Item> read(long after, int limit);

    /** Makes this server the one that sends, or renews that. Returns false if another server sends. */
    boolean claim();

    /** Lets another server send at once. */
    void release();

    /** Advances the position unless it has changed: then the records are sent again. */
    void advance(long expected, long confirmed);

    /** Stores a refused record and advances the position over it. */
    void addDeadLetter(long expected, DeadLetter letter);

    /** Returns the first refused record that is to be sent again. */
    Optional<DeadLetter> nextReplay();

    void removeDeadLetter(long sequence);

    /** Replaces a record that the sink has refused again: it is sent again only on request. */
    void replaceDeadLetter(DeadLetter letter);
}
