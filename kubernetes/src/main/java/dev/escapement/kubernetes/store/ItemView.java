package dev.escapement.kubernetes.store;

import dev.escapement.kubernetes.store.WatchedView.Told;
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
public final class ItemView<T extends HasMetadata> implements View<T>, ItemStore<T> {

    private final Map<String, T> items = new ConcurrentHashMap<>();
    private final WatchedView<T> view = new WatchedView<>(new Told<>() {
        @Override
        public Optional<T> get(String key) {
            return Optional.ofNullable(items.get(key));
        }

        @Override
        public Stream<T> all() {
            return items.values().stream();
        }
    });
    private final List<Consumer<T>> changed = new CopyOnWriteArrayList<>();
    private final List<BiConsumer<T, T>> replaced = new CopyOnWriteArrayList<>();
    private final List<Consumer<T>> deleted = new CopyOnWriteArrayList<>();

    /** Hears of every object that the watch tells of, new or changed. Must not block or throw. */
    public void onChange(Consumer<T> listener) {
        changed.add(listener);
    }

    /** Hears of every object that is no longer as it was: what was before, what is now. Must not block or throw. */
    public void onReplace(BiConsumer<T, T> listener) {
        replaced.add(listener);
    }

    /** Hears of every object that is gone, as it was last seen. Must not block or throw. */
    public void onDelete(Consumer<T> listener) {
        deleted.add(listener);
    }

    @Override
    public Optional<T> get(String namespace, String name) {
        return view.get(namespace, name);
    }

    @Override
    public Stream<T> all() {
        return view.all();
    }

    @Override
    public void learned(T object) {
        view.learned(object);
    }

    @Override
    public void absent(String namespace, String name) {
        view.absent(namespace, name);
    }

    @Override
    public String getKey(T object) {
        return Cache.metaNamespaceKeyFunc(object);
    }

    @Override
    @SuppressWarnings("NullAway") // The informer's contract: null if there was none.
    public T put(String key, T object) {
        T before = items.put(key, object);
        view.onAdd(object);
        if (before != null && !sameUid(before, object)) {
            // The watch was away while it was deleted and made again under the same name.
            gone(before);
        } else if (before != null) {
            replaced.forEach(listener -> listener.accept(before, object));
        }
        changed.forEach(listener -> listener.accept(object));
        return before;
    }

    @Override
    @SuppressWarnings("NullAway") // The informer's contract: null if there was none.
    public T remove(String key) {
        T before = items.remove(key);
        if (before != null) {
            gone(before);
        }
        return before;
    }

    private void gone(T object) {
        view.onDelete(object, false);
        deleted.forEach(listener -> listener.accept(object));
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
