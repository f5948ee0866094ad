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
 * The Events in the order in which they became known here. A position is the version that the API server gave to an
 * Event, so that it means the same to every replica; the order is that of arrival, so that nothing ever appears before
 * what was already read, also when a watch had to begin anew.
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

    /** @param appended called after something was appended; must not block */
    EventLog(Runnable appended) {
        this.appendListener = appended;
    }

    @Override
    public void onAdd(Event event) {
        Optional<Transition> told = EventCodec.toTransition(event);
        if (told.isPresent()) {
            add(new LoggedEvent(event.getMetadata().getName(), version(event), told.get()));
        }
    }

    private void add(LoggedEvent known) {
        synchronized (this) {
            if (!listed) {
                initialEvents.add(known);
                return;
            }
            append(known);
            notifyAll();
        }
        appendListener.run();
    }

    private void append(LoggedEvent known) {
        if (versionByName.putIfAbsent(known.name(), known.version()) == null) {
            eventsBySequence.put(nextSequence, known);
            sequenceByVersion.put(known.version(), nextSequence++);
            newestVersion = Math.max(newestVersion, known.version());
        }
    }

    /** The first list comes in no order. */
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
        // What happened does not change; whatever somebody else writes on it is not ours.
    }

    /** The API server forgets Events after an hour, and so does this log. */
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

    /** Waits until an Event of this version, or a later one, is in the log. Returns whether it came in time. */
    synchronized boolean awaitVersion(long version, Duration patience) throws InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
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
        Long place = sequenceByVersion.get(position);
        // A position that is not known here is that of an Event which was forgotten, or seen by another replica.
        return (place == null ? eventsBySequence : eventsBySequence.tailMap(place, false))
                .values().stream()
                        .filter(known -> place != null || known.version() > position)
                        .limit(limit)
                        .map(known -> new Entry(Long.toUnsignedString(known.version()), known.transition()))
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
        } catch (NumberFormatException none) {
            throw new IllegalArgumentException("\"" + after + "\" is no position of the journal", none);
        }
        throw new IllegalArgumentException("\"" + after + "\" is no position of the journal");
    }

    private static long version(Event event) {
        return Long.parseUnsignedLong(event.getMetadata().getResourceVersion());
    }
}
