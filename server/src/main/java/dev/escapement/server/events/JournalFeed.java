package dev.escapement.server.events;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionStatus;
import dev.escapement.engine.port.Journal;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Buffers the newest journal entries for all subscribers. A subscriber that is behind the buffer reads the journal
 * itself, so that none misses a transition and a slow one costs no memory.
 */
public final class JournalFeed {

    private static final int MAX_BUFFERED = 1_000;

    private final Deque<FeedEvent> buffer = new ArrayDeque<>();
    private final Set<FeedSubscription> subscriptions = ConcurrentHashMap.newKeySet();
    private final Journal journal;
    /** The position just before the oldest buffered event. */
    private String bufferStart;

    public JournalFeed(Journal journal, String position) {
        this.journal = journal;
        this.bufferStart = position;
    }

    /** Adds entries of the journal, in order. */
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

    /** Publishes the progress of an execution that was and is running; the journal has the other changes. */
    public void onStatusChange(Execution before, Execution after) {
        if (before.status() instanceof ExecutionStatus.Running && after.status() instanceof ExecutionStatus.Running) {
            publishProgress(after);
        }
    }

    /** Sends progress to all subscribers. A slow one receives only the latest. */
    void publishProgress(Execution execution) {
        if (!subscriptions.isEmpty()) {
            FeedEvent event = FeedEvent.ofProgress(execution);
            subscriptions.forEach(
                    subscription -> subscription.offerProgress(execution.ref().uid(), event));
        }
    }

    /** Returns the newest position that was added. */
    public synchronized String position() {
        return buffer.isEmpty() ? bufferStart : buffer.getLast().id();
    }

    /**
     * Returns the events after a position.
     *
     * @throws IllegalArgumentException if the position is not valid
     */
    public List<FeedEvent> readAfter(String position, int limit) {
        return readBuffered(position, limit)
                .orElseGet(() -> journal.read(position, limit).stream()
                        .map(FeedEvent::of)
                        .toList());
    }

    private synchronized Optional<List<FeedEvent>> readBuffered(String position, int limit) {
        // From the newest backwards, because most subscribers are near the end.
        Deque<FeedEvent> found = new ArrayDeque<>();
        boolean complete = false;
        for (Iterator<FeedEvent> newest = buffer.descendingIterator(); newest.hasNext() && !complete; ) {
            FeedEvent event = newest.next();
            complete = event.id().equals(position);
            if (!complete) {
                found.addFirst(event);
            }
        }
        return complete || bufferStart.equals(position)
                ? Optional.of(found.stream().limit(limit).toList())
                : Optional.empty();
    }

    /** Adds a subscriber until it is closed. */
    public FeedSubscription subscribe() {
        FeedSubscription subscription = new FeedSubscription(subscriptions::remove);
        subscriptions.add(subscription);
        return subscription;
    }

    public int subscriberCount() {
        return subscriptions.size();
    }

    /** Ends all subscriptions. */
    public void close() {
        subscriptions.forEach(FeedSubscription::terminate);
    }
}
