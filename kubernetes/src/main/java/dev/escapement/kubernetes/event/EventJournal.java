package dev.escapement.kubernetes.event;

import dev.escapement.engine.port.Journal;
import dev.escapement.kubernetes.cache.TrimmedItemStore;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;

/** The journal as the Events tell it, for as long as the API server keeps them. */
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
                .itemStore(new TrimmedItemStore<>(EventJournal::trimToIdentity))
                .addEventHandler(log);
    }

    /** The informer needs no more of an Event than which it is: its contents are in the log already. */
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

    /** Begins to listen; {@link #informer} says when it has heard of what there is. */
    public static EventJournal watch(KubernetesClient client) {
        EventJournal journal = new EventJournal(client);
        var unused = journal.informer.start();
        return journal;
    }

    /** What it hears by. */
    public SharedIndexInformer<Event> informer() {
        return informer;
    }

    /** Whether there is an Event of that name. */
    boolean contains(String name) {
        return log.contains(name);
    }

    /** Waits until it has heard of an Event with this version, or a later one. */
    boolean awaitVersion(long version, Duration patience) throws InterruptedException {
        return log.awaitVersion(version, patience);
    }

    /** Whether it has heard of what there was when it began. */
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
        // An object of its own, so that ending one subscription does not end another of the same callback.
        Runnable own = () -> callback.run();
        callbacks.add(own);
        return () -> callbacks.remove(own);
    }

    @Override
    public void close() {
        informer.close();
    }
}
