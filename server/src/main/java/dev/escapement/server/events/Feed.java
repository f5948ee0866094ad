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
public final class Feed {

    private static final int KEPT = 1_000;

    private final Deque<Event> newest = new ArrayDeque<>();
    private final Set<Listener> listeners = ConcurrentHashMap.newKeySet();
    private final Journal journal;
    /** The position just before the oldest event that is kept. */
    private String before;

    /** @param position where the feed begins */
    public Feed(Journal journal, String position) {
        this.journal = journal;
        this.before = position;
    }

    /** Takes what was appended to the journal, in order. */
    public void append(List<Journal.Entry> entries) {
        synchronized (this) {
            for (Journal.Entry entry : entries) {
                newest.addLast(Event.of(entry));
                if (newest.size() > KEPT) {
                    before = newest.removeFirst().id();
                }
            }
        }
        listeners.forEach(Listener::wake);
    }

    /** Tells of progress. Whoever does not keep up misses some: the next one says more. */
    public void progressed(Execution execution) {
        if (!listeners.isEmpty()) {
            Event event = Event.progress(execution);
            listeners.forEach(listener -> listener.offer(execution.ref().uid(), event));
        }
    }

    /** The newest position that this feed has seen. */
    public synchronized String position() {
        return newest.isEmpty() ? before : newest.getLast().id();
    }

    /**
     * What comes after a position.
     *
     * @throws IllegalArgumentException if that is no position
     */
    public List<Event> after(String position, int limit) {
        Optional<List<Event>> kept = kept(position, limit);
        return kept.isPresent()
                ? kept.get()
                : journal.read(position, limit).stream().map(Event::of).toList();
    }

    private synchronized Optional<List<Event>> kept(String position, int limit) {
        // From the newest back: whoever keeps up is near the end.
        ArrayDeque<Event> found = new ArrayDeque<>();
        Iterator<Event> backwards = newest.descendingIterator();
        while (backwards.hasNext()) {
            Event event = backwards.next();
            if (event.id().equals(position)) {
                return Optional.of(first(found, limit));
            }
            found.addFirst(event);
        }
        return before.equals(position) ? Optional.of(first(found, limit)) : Optional.empty();
    }

    private static List<Event> first(ArrayDeque<Event> events, int limit) {
        List<Event> all = new ArrayList<>(events);
        return all.size() <= limit ? all : all.subList(0, limit);
    }

    /** Begins to listen; to be closed. */
    public Listener listen() {
        Listener listener = new Listener(listeners::remove);
        listeners.add(listener);
        return listener;
    }

    /** How many listen. */
    public int listeners() {
        return listeners.size();
    }

    /** Wakes up everybody who waits, for the last time. */
    public void close() {
        listeners.forEach(Listener::end);
    }
}
