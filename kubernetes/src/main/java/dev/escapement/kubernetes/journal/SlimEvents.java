package dev.escapement.kubernetes.journal;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import io.fabric8.kubernetes.client.informers.cache.ItemStore;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** Of an Event the informer needs no more than who it is: its contents are in the log already. */
final class SlimEvents implements ItemStore<Event> {

    private final Map<String, Event> events = new ConcurrentHashMap<>();

    @Override
    public String getKey(Event event) {
        return Cache.metaNamespaceKeyFunc(event);
    }

    @Override
    @SuppressWarnings("NullAway") // The informer's contract: null if there was none.
    public Event put(String key, Event event) {
        return events.put(
                key,
                new EventBuilder()
                        .withNewMetadata()
                        .withNamespace(event.getMetadata().getNamespace())
                        .withName(event.getMetadata().getName())
                        .withUid(event.getMetadata().getUid())
                        .withResourceVersion(event.getMetadata().getResourceVersion())
                        .endMetadata()
                        .build());
    }

    @Override
    @SuppressWarnings("NullAway") // The informer's contract: null if there was none.
    public Event remove(String key) {
        return events.remove(key);
    }

    @Override
    public Stream<String> keySet() {
        return events.keySet().stream();
    }

    @Override
    public Stream<Event> values() {
        return events.values().stream();
    }

    @Override
    public int size() {
        return events.size();
    }

    @Override
    @SuppressWarnings("NullAway") // The informer's contract: null if there is none.
    public Event get(String key) {
        return events.get(key);
    }

    @Override
    public boolean isFullState() {
        return false;
    }
}
