package dev.escapement.server.events;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.port.Journal;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The newest part of the journal, shared by all who listen: whoever keeps up is served from memory, whoever is slow or
 * comes late reads the journal itself. So nobody's slowness costs memory or holds up others, and nobody misses a
 * transition.
 */
public final class JournalFeed {

    private static final int MAX_BUFFERED = 1_000;

    private final Deque<FeedEvent> buffer = new ArrayDeque<>();
    private final Set<FeedSubscription> subscriptions = ConcurrentHashMap.newKeySet();
    private final Journal journal;
    /** The position just before the oldest event that is kept. */
    private String bufferStart;

    /** @param position where the feed begins */
    public JournalFeed(Journal journal, String position) {
        this.journal = journal;
        this.bufferStart = position;
    }

    /** Takes what was appended to the journal, in order. */
    public void append(List<Journal.Entry> entries) {
        synchronized (this) {
            for (Journal.Entry entry : entries) {
                buffer.addLast(FeedEvent.of(entry));
                if (buffer.size() > MAX_BUFFERED) {
                    bufferStart = buffer.removeFirst().id();
                }
            }
        }
        subscriptions.forEach(FeedSubscription::notifyAppended);
    }

    /** Tells of progress. Whoever does not keep up misses some: the next one says more. */
    public void publishProgress(Execution execution) {
        if (!subscriptions.isEmpty()) {
            FeedEvent event = FeedEvent.ofProgress(execution);
            subscriptions.forEach(
                    listener -> listener.offerProgress(execution.ref().uid(), event));
        }
    }

    /** The newest position that this feed has seen. */
    public synchronized String position() {
        return buffer.isEmpty() ? bufferStart : buffer.getLast().id();
    }

    /**
     * What comes after a position.
     *
     * @throws IllegalArgumentException if that is no position
     */
    public List<FeedEvent> readAfter(String position, int limit) {
        Optional<List<FeedEvent>> kept = readBuffered(position, limit);
        return kept.isPresent()
                ? kept.get()
                : journal.read(position, limit).stream().map(FeedEvent::of).toList();
    }

    private synchronized Optional<List<FeedEvent>> readBuffered(String position, int limit) {
        // From the newest back: whoever keeps up is near the end.
        ArrayDeque<FeedEvent> found = new ArrayDeque<>();
        Iterator<FeedEvent> backwards = buffer.descendingIterator();
        while (backwards.hasNext()) {
            FeedEvent event = backwards.next();
            if (event.id().equals(position)) {
                return Optional.of(takeFirst(found, limit));
            }
            found.addFirst(event);
        }
        return bufferStart.equals(position) ? Optional.of(takeFirst(found, limit)) : Optional.empty();
    }

    private static List<FeedEvent> takeFirst(ArrayDeque<FeedEvent> events, int limit) {
        List<FeedEvent> all = new ArrayList<>(events);
        return all.size() <= limit ? all : all.subList(0, limit);
    }

    /** Begins to listen; to be closed. */
    public FeedSubscription subscribe() {
        FeedSubscription listener = new FeedSubscription(subscriptions::remove);
        subscriptions.add(listener);
        return listener;
    }

    /** How many listen. */
    public int subscriberCount() {
        return subscriptions.size();
    }

    /** Wakes up everybody who waits, for the last time. */
    public void close() {
        subscriptions.forEach(FeedSubscription::terminate);
    }
}
