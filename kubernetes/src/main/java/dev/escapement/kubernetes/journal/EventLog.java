package dev.escapement.kubernetes.journal;

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

    private record Known(String name, long version, Transition told) {}

    private final Runnable appended;
    private final TreeMap<Long, Known> log = new TreeMap<>();
    private final Map<Long, Long> places = new HashMap<>();
    private final Map<String, Long> versions = new HashMap<>();
    private final List<Known> first = new ArrayList<>();
    private boolean listed;
    private long next;
    private long newest;

    /** @param appended called after something was appended; must not block */
    EventLog(Runnable appended) {
        this.appended = appended;
    }

    @Override
    public void onAdd(Event event) {
        Optional<Transition> told = EventCodec.read(event);
        if (told.isPresent()) {
            add(new Known(event.getMetadata().getName(), version(event), told.get()));
        }
    }

    private void add(Known known) {
        synchronized (this) {
            if (!listed) {
                first.add(known);
                return;
            }
            append(known);
            notifyAll();
        }
        appended.run();
    }

    private void append(Known known) {
        if (versions.putIfAbsent(known.name(), known.version()) == null) {
            log.put(next, known);
            places.put(known.version(), next++);
            newest = Math.max(newest, known.version());
        }
    }

    /** The first list comes in no order. */
    @Override
    public void onList(String resourceVersion, boolean remainedEmpty) {
        synchronized (this) {
            first.stream().sorted(Comparator.comparingLong(Known::version)).forEach(this::append);
            first.clear();
            listed = true;
            notifyAll();
        }
        appended.run();
    }

    @Override
    public void onUpdate(Event old, Event event) {
        // What happened does not change; whatever somebody else writes on it is not ours.
    }

    /** The API server forgets Events after an hour, and so does this log. */
    @Override
    public synchronized void onDelete(Event event, boolean finalStateUnknown) {
        Optional.ofNullable(versions.remove(event.getMetadata().getName()))
                .flatMap(version -> Optional.ofNullable(places.remove(version)))
                .ifPresent(log::remove);
    }

    synchronized boolean has(String name) {
        return versions.containsKey(name);
    }

    synchronized boolean isListed() {
        return listed;
    }

    /** Waits until an Event of this version, or a later one, is in the log. Returns whether it came in time. */
    synchronized boolean await(long version, Duration patience) throws InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        while (newest < version) {
            long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            if (left <= 0) {
                return false;
            }
            wait(left);
        }
        return true;
    }

    synchronized String end() {
        return Long.toUnsignedString(newest);
    }

    synchronized List<Entry> read(String after, int limit) {
        long position = position(after);
        Long place = places.get(position);
        // A position that is not known here is that of an Event which was forgotten, or seen by another replica.
        return (place == null ? log : log.tailMap(place, false))
                .values().stream()
                        .filter(known -> place != null || known.version() > position)
                        .limit(limit)
                        .map(known -> new Entry(Long.toUnsignedString(known.version()), known.told()))
                        .toList();
    }

    private static long position(String after) {
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
