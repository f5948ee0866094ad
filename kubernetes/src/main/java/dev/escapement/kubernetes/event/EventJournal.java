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
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.TimeUnit;

/**
 * Reads the journal from the Events in the cluster, for as long as the API server keeps them.
 *
 * <p>Events are in the order of their versions; a position is the version of an Event, so that all replicas understand
 * it. A list delivers Events by name, so none is shown before the informer has received everything up to its version.
 */
public final class EventJournal implements Journal, ResourceEventHandler<Event>, AutoCloseable {

    /** The informer counts a version as received just after it has delivered it, perhaps after this journal looked. */
    private static final Duration RECHECK_DELAY = Duration.ofMillis(20);

    private final Set<Runnable> callbacks = new CopyOnWriteArraySet<>();
    private final SharedIndexInformer<Event> informer;
    private final EventLog log = new EventLog();
    private final InstantSource clock;
    private boolean recheckScheduled;
    private boolean closed;
    private boolean listed;
    private long listedVersion;

    /** Starts the watch and returns without waiting for the first list; see {@link #isListed}. */
    public EventJournal(KubernetesClient client, InstantSource clock) {
        this.clock = clock;
        var events =
                client.v1().events().inAnyNamespace().withLabel(EventMapper.MANAGED_BY_LABEL, EventMapper.COMPONENT);
        var cache = new ResourceCache<>(EventJournal::trimToIdentity);
        // Called before the informer counts the version as received; the methods of a handler are called later.
        cache.onAdd(this::receive);
        cache.onDelete(this::remove);
        this.informer = cache.newInformer(events).addEventHandler(this);
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

    private synchronized void receive(Event event) {
        EventMapper.toTransition(event)
                .ifPresent(transition -> log.receive(ResourceCache.versionOf(event), transition));
    }

    private synchronized void remove(Event event) {
        log.remove(ResourceCache.versionOf(event), clock.instant());
    }

    @Override
    public void onAdd(Event event) {
        appendReceived();
    }

    @Override
    public void onUpdate(Event old, Event event) {
        // A transition does not change: only other programs update an Event.
    }

    @Override
    public void onDelete(Event event, boolean finalStateUnknown) {
        // The cache has reported it already.
    }

    @Override
    public void onList(String resourceVersion, boolean remainedEmpty) {
        appendReceived();
        synchronized (this) {
            listed = true;
            listedVersion = Math.max(listedVersion, parsePosition(resourceVersion));
        }
        callbacks.forEach(Runnable::run);
    }

    private void appendReceived() {
        boolean appended;
        synchronized (this) {
            // Before the first list is complete it is empty.
            String received = informer.lastSyncResourceVersion();
            appended = received != null && !received.isEmpty() && log.appendUpTo(Long.parseUnsignedLong(received));
            notifyAll();
            if (log.hasUnordered() && !recheckScheduled && !closed) {
                recheckScheduled = true;
                CompletableFuture.delayedExecutor(RECHECK_DELAY.toMillis(), TimeUnit.MILLISECONDS)
                        .execute(this::recheck);
            }
        }
        if (appended) {
            callbacks.forEach(Runnable::run);
        }
    }

    private void recheck() {
        synchronized (this) {
            recheckScheduled = false;
        }
        appendReceived();
    }

    /**
     * Returns the position, or {@link #START} if this cluster has never had it: after a restore, versions begin again
     * at a smaller number.
     */
    public synchronized String continueFrom(String position) {
        boolean known = position.equals(START)
                || Long.compareUnsigned(parsePosition(position), Math.max(listedVersion, log.newestVersion())) <= 0;
        return known ? position : START;
    }

    /** Returns the last position before which no Event is missing if all up to a position were read. */
    public synchronized String completePosition(String position) {
        return position.equals(START) ? START : Long.toUnsignedString(log.completeVersion(parsePosition(position)));
    }

    /** Returns whether Events after a position were removed before they expired: only this process has them. */
    public synchronized boolean hasRemovedAfter(String position) {
        return log.hasRemovedAfter(parsePosition(position));
    }

    /** Returns whether the Event of a transition exists in the cluster. */
    synchronized boolean contains(Transition transition) {
        return log.contains(transition);
    }

    public synchronized boolean isListed() {
        return listed;
    }

    /** Waits until the journal has an Event of this version or a later one; returns false after the timeout. */
    synchronized boolean awaitVersion(long version, Duration timeout) throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (log.newestVersion() < version) {
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
        return Long.toUnsignedString(log.newestVersion());
    }

    @Override
    public synchronized List<Entry> read(String after, int limit) {
        return log.read(parsePosition(after), limit);
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
        synchronized (this) {
            closed = true;
        }
        informer.close();
    }
}
