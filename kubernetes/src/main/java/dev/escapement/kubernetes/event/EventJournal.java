package dev.escapement.kubernetes.event;

import dev.escapement.engine.port.Journal;
import dev.escapement.kubernetes.cache.ResourceCache;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;

/** Reads the journal from the Events in the cluster, for as long as the API server keeps them. */
public final class EventJournal implements Journal, AutoCloseable {

    private final Set<Runnable> callbacks = new CopyOnWriteArraySet<>();
    private final EventLog log = new EventLog(() -> callbacks.forEach(Runnable::run));
    private final SharedIndexInformer<Event> informer;

    private EventJournal(KubernetesClient client) {
        this.informer = client.v1()
                .events()
                .inAnyNamespace()
                .withLabel(EventCodec.MANAGED_BY_LABEL, EventCodec.COMPONENT)
                .runnableInformer(0)
                .exceptionHandler((started, failure) -> true)
                .itemStore(new ResourceCache<>(EventJournal::trimToIdentity))
                .addEventHandler(log);
    }

    /** Reduces an Event to its identity: the log already has its contents. */
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

    /** Starts the watch and returns without waiting for the first list; see {@link #isListed}. */
    public static EventJournal watch(KubernetesClient client) {
        EventJournal journal = new EventJournal(client);
        var unused = journal.informer.start();
        return journal;
    }

    public SharedIndexInformer<Event> informer() {
        return informer;
    }

    boolean contains(String name) {
        return log.contains(name);
    }

    /** Waits until the log has an Event of this version or a later one; returns false after the timeout. */
    boolean awaitVersion(long version, Duration timeout) throws InterruptedException {
        return log.awaitVersion(version, timeout);
    }

    /** Returns whether the first list has arrived. */
    public boolean isListed() {
        return log.isListed();
    }

    @Override
    public List<Entry> read(String after, int limit) {
        return log.read(after, limit);
    }

    @Override
    public String endPosition() {
        return log.endPosition();
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
