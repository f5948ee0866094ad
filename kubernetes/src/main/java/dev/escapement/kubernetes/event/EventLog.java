package dev.escapement.kubernetes.event;

import dev.escapement.engine.journal.Transition;
import dev.escapement.engine.port.Journal;
import dev.escapement.engine.port.Journal.Entry;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * Keeps Events in the order in which this process received them. A position is the resource version of an Event, so
 * that all replicas understand it. The order is that of arrival, so that no Event appears before one that was already
 * read, even after a watch was restarted.
 */
final class EventLog implements ResourceEventHandler<Event> {

    private record LoggedEvent(String name, long version, Transition transition) {}

    private final Runnable appendListener;
    private final TreeMap<Long, LoggedEvent> eventsBySequence = new TreeMap<>();
    private final Map<Long, Long> sequenceByVersion = new HashMap<>();
    private final Map<String, Long> versionByName = new HashMap<>();
    private final List<LoggedEvent> initialEvents = new ArrayList<>();
    private boolean listed;
    private long nextSequence;
    private long newestVersion;

    /** @param appendListener called after an Event was appended; must not block */
    EventLog(Runnable appendListener) {
        this.appendListener = appendListener;
    }

    @Override
    public void onAdd(Event event) {
        Optional<Transition> transition = EventCodec.toTransition(event);
        if (transition.isPresent()) {
            add(new LoggedEvent(event.getMetadata().getName(), version(event), transition.get()));
        }
    }

    private void add(LoggedEvent event) {
        synchronized (this) {
            if (!listed) {
                initialEvents.add(event);
                return;
            }
            append(event);
            notifyAll();
        }
        appendListener.run();
    }

    private void append(LoggedEvent event) {
        if (versionByName.putIfAbsent(event.name(), event.version()) == null) {
            eventsBySequence.put(nextSequence, event);
            sequenceByVersion.put(event.version(), nextSequence++);
            newestVersion = Math.max(newestVersion, event.version());
        }
    }

    /** The first list comes in no particular order. */
    @Override
    public void onList(String resourceVersion, boolean remainedEmpty) {
        synchronized (this) {
            initialEvents.stream()
                    .sorted(Comparator.comparingLong(LoggedEvent::version))
                    .forEach(this::append);
            initialEvents.clear();
            listed = true;
            notifyAll();
        }
        appendListener.run();
    }

    @Override
    public void onUpdate(Event old, Event event) {
        // A transition does not change: only other programs update an Event.
    }

    /** The API server deletes Events after an hour, and so does this log. */
    @Override
    public synchronized void onDelete(Event event, boolean finalStateUnknown) {
        Optional.ofNullable(versionByName.remove(event.getMetadata().getName()))
                .flatMap(version -> Optional.ofNullable(sequenceByVersion.remove(version)))
                .ifPresent(eventsBySequence::remove);
    }

    synchronized boolean contains(String name) {
        return versionByName.containsKey(name);
    }

    synchronized boolean isListed() {
        return listed;
    }

    /** Waits until the log has an Event of this version or a later one; returns false after the timeout. */
    synchronized boolean awaitVersion(long version, Duration timeout) throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (newestVersion < version) {
            long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            if (left <= 0) {
                return false;
            }
            wait(left);
        }
        return true;
    }

    synchronized String endPosition() {
        return Long.toUnsignedString(newestVersion);
    }

    synchronized List<Entry> read(String after, int limit) {
        long position = parsePosition(after);
        Long sequence = sequenceByVersion.get(position);
        // An unknown position is that of an Event that has expired or that only another replica has received.
        return (sequence == null ? eventsBySequence : eventsBySequence.tailMap(sequence, false))
                .values().stream()
                        .filter(event -> sequence != null || event.version() > position)
                        .limit(limit)
                        .map(event -> new Entry(Long.toUnsignedString(event.version()), event.transition()))
                        .toList();
    }

    private static long parsePosition(String after) {
        if (after.equals(Journal.START)) {
            return -1;
        }
        try {
            long position = Long.parseUnsignedLong(after);
            if (position >= 0) {
                return position;
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("\"" + after + "\" is not a journal position", e);
        }
        throw new IllegalArgumentException("\"" + after + "\" is not a journal position");
    }

    private static long version(Event event) {
        return Long.parseUnsignedLong(event.getMetadata().getResourceVersion());
    }
}
