package dev.escapement.kubernetes.cache;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import io.fabric8.kubernetes.client.informers.cache.ItemStore;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Keeps of every object that an informer watches only what is read of it later. Whoever listens to the informer gets
 * the whole of what is new.
 */
public final class TrimmedItemStore<T extends HasMetadata> implements ItemStore<T> {

    private final Map<String, T> items = new ConcurrentHashMap<>();
    private final UnaryOperator<T> trim;

    /** @param trim leaves its argument as it is; its result has at least the name, the uid and the version */
    public TrimmedItemStore(UnaryOperator<T> trim) {
        this.trim = trim;
    }

    @Override
    public String getKey(T object) {
        return Cache.metaNamespaceKeyFunc(object);
    }

    @Override
    @SuppressWarnings("NullAway") // The informer's contract: null if there was none.
    public T put(String key, T object) {
        return items.put(key, trim.apply(object));
    }

    @Override
    @SuppressWarnings("NullAway") // The informer's contract: null if there was none.
    public T remove(String key) {
        return items.remove(key);
    }

    @Override
    public Stream<String> keySet() {
        return items.keySet().stream();
    }

    @Override
    public Stream<T> values() {
        return items.values().stream();
    }

    @Override
    public int size() {
        return items.size();
    }

    @Override
    @SuppressWarnings("NullAway") // The informer's contract: null if there is none.
    public T get(String key) {
        return items.get(key);
    }

    @Override
    public boolean isFullState() {
        return false;
    }
}
