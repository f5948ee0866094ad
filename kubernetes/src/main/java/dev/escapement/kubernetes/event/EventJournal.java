package dev.escapement.kubernetes.event;

import dev.escapement.engine.journal.Transition;
import dev.escapement.engine.port.Journal;
import dev.escapement.kubernetes.cache.ResourceCache;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.TimeUnit;

/**
 * Reads the journal from the Events in the cluster, for as long as the API server keeps them.
 *
 * <p>Events are in the order in which this process received them. A position is the resource version of an Event, so
 * that all replicas understand it. The order is that of arrival, so that no Event appears before one that was already
 * read, even after a watch was restarted.
 */
public final class EventJournal implements Journal, ResourceEventHandler<Event>, AutoCloseable {

    private record LoggedEvent(String name, long version, Transition transition) {}

    private final Set<Runnable> callbacks = new CopyOnWriteArraySet<>();
    private final SharedIndexInformer<Event> informer;
    private final TreeMap<Long, LoggedEvent> eventsBySequence = new TreeMap<>();
    private final Map<Long, Long> sequenceByVersion = new HashMap<>();
    private final Map<String, Long> versionByName = new HashMap<>();
    private final List<LoggedEvent> initialEvents = new ArrayList<>();
    private boolean listed;
    private long nextSequence;
    private long newestVersion;

    /** Starts the watch and returns without waiting for the first list; see {@link #isListed}. */
    public EventJournal(KubernetesClient client) {
        var events =
                client.v1().events().inAnyNamespace().withLabel(EventMapper.MANAGED_BY_LABEL, EventMapper.COMPONENT);
        this.informer = new ResourceCache<>(EventJournal::trimToIdentity)
                .newInformer(events)
                .addEventHandler(this);
        var unused = informer.start();
    }

    /** Reduces an Event to its identity: the journal already has its contents. */
    private static Event trimToIdentity(Event event) {
        return new EventBuilder()
                .withNewMetadata()
                .withNamespace(event.getMetadata().getNamespace())
                .withName(event.getMetadata().getName())
                .withUid(event.getMetadata().getUid())
                .withResourceVersion(event.getMetadata().getResourceVersion())
                .endMetadata()
                .build();
    }

    public SharedIndexInformer<Event> informer() {
        return informer;
    }

    @Override
    public void onAdd(Event event) {
        String name = event.getMetadata().getName();
        EventMapper.toTransition(event)
                .map(transition -> new LoggedEvent(name, ResourceCache.versionOf(event), transition))
                .ifPresent(this::add);
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
        callbacks.forEach(Runnable::run);
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
            initialEvents.sort(Comparator.comparingLong(LoggedEvent::version));
            initialEvents.forEach(this::append);
            initialEvents.clear();
            listed = true;
            notifyAll();
        }
        callbacks.forEach(Runnable::run);
    }

    @Override
    public void onUpdate(Event old, Event event) {
        // A transition does not change: only other programs update an Event.
    }

    /** The API server deletes Events after an hour, and so does this journal. */
    @Override
    public synchronized void onDelete(Event event, boolean finalStateUnknown) {
        Optional.ofNullable(versionByName.remove(event.getMetadata().getName()))
                .flatMap(version -> Optional.ofNullable(sequenceByVersion.remove(version)))
                .ifPresent(eventsBySequence::remove);
    }

    synchronized boolean contains(String name) {
        return versionByName.containsKey(name);
    }

    public synchronized boolean isListed() {
        return listed;
    }

    /** Waits until the journal has an Event of this version or a later one; returns false after the timeout. */
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

    @Override
    public synchronized String endPosition() {
        return Long.toUnsignedString(newestVersion);
    }

    @Override
    public synchronized List<Entry> read(String after, int limit) {
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
        if (after.equals(START)) {
            return -1;
        }
        try {
            long position = Long.parseUnsignedLong(after);
            if (position < 0) {
                throw new NumberFormatException("too large");
            }
            return position;
        } catch (NumberFormatException invalid) {
            throw new IllegalArgumentException("\"" + after + "\" is not a journal position", invalid);
        }
    }

    @Override
    public Subscription onAppend(Runnable callback) {
        // A new object, so that closing one subscription leaves another one of the same callback in place.
        Runnable subscriber = () -> callback.run();
        callbacks.add(subscriber);
        return () -> callbacks.remove(subscriber);
    }

    @Override
    public void close() {
        informer.close();
    }
}
