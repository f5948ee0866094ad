package dev.escapement.server.events;

import dev.escapement.api.event.ProgressEvent;
import dev.escapement.api.execution.WorkflowExecutionStatus;
import dev.escapement.common.Json;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionStatus;
import dev.escapement.engine.mapping.ExecutionMapper;
import dev.escapement.engine.mapping.TransitionMapper;
import dev.escapement.engine.port.Journal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Buffers the newest journal entries for all subscribers. A subscriber that is behind the buffer reads the journal
 * itself, so that none misses a transition and a slow one costs no memory.
 */
public final class JournalFeed {

    private static final int MAX_BUFFERED = 1_000;

    private final Deque<Event> buffer = new ArrayDeque<>();
    private final Set<Subscription> subscriptions = ConcurrentHashMap.newKeySet();
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
                buffer.addLast(Event.of(entry));
                if (buffer.size() > MAX_BUFFERED) {
                    bufferStart = buffer.removeFirst().id();
                }
            }
        }
        subscriptions.forEach(Subscription::notifyAppended);
    }

    /**
     * Sends the progress of an execution that was and is running to all subscribers; the journal has the other changes.
     * A slow subscriber receives only the latest.
     */
    public void onStatusChange(Execution before, Execution after) {
        boolean running =
                before.status() instanceof ExecutionStatus.Running && after.status() instanceof ExecutionStatus.Running;
        if (running && !subscriptions.isEmpty()) {
            Event event = Event.ofProgress(after);
            subscriptions.forEach(
                    subscription -> subscription.offerProgress(after.ref().uid(), event));
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
    public List<Event> readAfter(String position, int limit) {
        return readBuffered(position, limit)
                .orElseGet(() ->
                        journal.read(position, limit).stream().map(Event::of).toList());
    }

    private synchronized Optional<List<Event>> readBuffered(String position, int limit) {
        // From the newest backwards, because most subscribers are near the end.
        Deque<Event> found = new ArrayDeque<>();
        boolean complete = false;
        for (Iterator<Event> newest = buffer.descendingIterator(); newest.hasNext() && !complete; ) {
            Event event = newest.next();
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
    public Subscription subscribe() {
        Subscription subscription = new Subscription();
        subscriptions.add(subscription);
        return subscription;
    }

    public int subscriberCount() {
        return subscriptions.size();
    }

    /** Ends all subscriptions. */
    public void close() {
        subscriptions.forEach(Subscription::terminate);
    }

    /** One subscriber of the feed. Buffers only the latest progress of each of a limited number of executions. */
    public final class Subscription implements AutoCloseable {

        private static final int MAX_PENDING = 200;

        private final Map<String, Event> pendingProgress = new LinkedHashMap<>();
        private boolean appended = true;
        private boolean terminated;

        synchronized void notifyAppended() {
            appended = true;
            notifyAll();
        }

        synchronized void offerProgress(String uid, Event event) {
            pendingProgress.remove(uid);
            if (pendingProgress.size() < MAX_PENDING) {
                pendingProgress.put(uid, event);
            }
            notifyAll();
        }

        synchronized void terminate() {
            terminated = true;
            notifyAll();
        }

        /** Waits for an event, at most for the timeout. Returns false if the feed was closed. */
        public synchronized boolean await(Duration timeout) throws InterruptedException {
            long deadline = System.nanoTime() + timeout.toNanos();
            while (!appended && !terminated && pendingProgress.isEmpty()) {
                long left = Duration.ofNanos(deadline - System.nanoTime()).toMillis();
                if (left <= 0) {
                    break;
                }
                wait(left);
            }
            appended = false;
            return !terminated;
        }

        /** Returns the progress events since the last call. */
        public synchronized List<Event> drainProgress() {
            List<Event> events = new ArrayList<>(pendingProgress.values());
            pendingProgress.clear();
            return events;
        }

        @Override
        public void close() {
            subscriptions.remove(this);
        }
    }

    /**
     * A server-sent event.
     *
     * @param id the position in the journal; empty for progress, which is not in it
     * @param type the event's name
     * @param data one line of JSON
     */
    public record Event(String id, String type, String data) {

        /** Returns the event of a transition. */
        public static Event of(Journal.Entry entry) {
            return new Event(
                    entry.position(),
                    entry.transition().type().name(),
                    Json.write(TransitionMapper.toDocument(entry.transition())));
        }

        /** Returns the event of the progress of a running execution. */
        public static Event ofProgress(Execution execution) {
            WorkflowExecutionStatus status =
                    ExecutionMapper.toDocument(execution, "").status();
            ProgressEvent event = new ProgressEvent(
                    ProgressEvent.TYPE,
                    TransitionMapper.toDocument(execution.ref()),
                    execution.workflowId(),
                    execution.spec().targetResource(),
                    status == null ? null : status.pipelineRunStatus(),
                    Map.of());
            return new Event("", ProgressEvent.TYPE, Json.write(event));
        }

        /** Encodes the event for the stream. JSON has no raw line breaks, so the data cannot forge a second event. */
        public byte[] encode() {
            String text = (id.isEmpty() ? "" : "id: " + id + "\n") + "event: " + type + "\ndata: " + data + "\n\n";
            return text.getBytes(StandardCharsets.UTF_8);
        }
    }
}
