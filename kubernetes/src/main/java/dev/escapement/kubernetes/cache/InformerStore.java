package dev.escapement.kubernetes.cache;

import dev.escapement.kubernetes.cache.ReadYourWritesCache.WatchedObjects;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import io.fabric8.kubernetes.client.informers.cache.ItemStore;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * A view on objects that somebody else's informer watches: it is that informer's own store, so that one watch serves
 * both, and nobody is woken by an object before the view shows it.
 */
public final class InformerStore<T extends HasMetadata> implements ResourceCache<T>, ItemStore<T> {

    private final Map<String, T> items = new ConcurrentHashMap<>();
    private final ReadYourWritesCache<T> cache = new ReadYourWritesCache<>(new WatchedObjects<>() {
        @Override
        public Optional<T> get(String key) {
            return Optional.ofNullable(items.get(key));
        }

        @Override
        public Stream<T> all() {
            return items.values().stream();
        }
    });
    private final List<Consumer<T>> changeListeners = new CopyOnWriteArrayList<>();
    private final List<BiConsumer<T, T>> replaceListeners = new CopyOnWriteArrayList<>();
    private final List<Consumer<T>> deleteListeners = new CopyOnWriteArrayList<>();

    /** Hears of every object that the watch tells of, new or changed. Must not block or throw. */
    public void onChange(Consumer<T> listener) {
        changeListeners.add(listener);
    }

    /** Hears of every object that is no longer as it was: what was before, what is now. Must not block or throw. */
    public void onReplace(BiConsumer<T, T> listener) {
        replaceListeners.add(listener);
    }

    /** Hears of every object that is gone, as it was last seen. Must not block or throw. */
    public void onDelete(Consumer<T> listener) {
        deleteListeners.add(listener);
    }

    @Override
    public Optional<T> get(String namespace, String name) {
        return cache.get(namespace, name);
    }

    @Override
    public Stream<T> all() {
        return cache.all();
    }

    @Override
    public void recordLatest(T object) {
        cache.recordLatest(object);
    }

    @Override
    public void recordAbsent(String namespace, String name) {
        cache.recordAbsent(namespace, name);
    }

    @Override
    public String getKey(T object) {
        return Cache.metaNamespaceKeyFunc(object);
    }

    @Override
    @SuppressWarnings("NullAway") // The informer's contract: null if there was none.
    public T put(String key, T object) {
        T before = items.put(key, object);
        cache.onAdd(object);
        if (before != null && !sameUid(before, object)) {
            // The watch was away while it was deleted and made again under the same name.
            notifyDeleted(before);
        } else if (before != null) {
            replaceListeners.forEach(listener -> listener.accept(before, object));
        }
        changeListeners.forEach(listener -> listener.accept(object));
        return before;
    }

    @Override
    @SuppressWarnings("NullAway") // The informer's contract: null if there was none.
    public T remove(String key) {
        T before = items.remove(key);
        if (before != null) {
            notifyDeleted(before);
        }
        return before;
    }

    private void notifyDeleted(T object) {
        cache.onDelete(object, false);
        deleteListeners.forEach(listener -> listener.accept(object));
    }

    private static boolean sameUid(HasMetadata one, HasMetadata other) {
        return one.getMetadata().getUid().equals(other.getMetadata().getUid());
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
}
