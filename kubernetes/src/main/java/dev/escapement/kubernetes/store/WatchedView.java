package dev.escapement.kubernetes.store;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * A view on the cache of an informer. What we have learned from our own calls lies over the cache until the watch has
 * told as much: without it, every second step of an execution would decide on what the first has just changed.
 */
public final class WatchedView<T extends HasMetadata> implements View<T>, ResourceEventHandler<T> {

    private static final int KEPT = 1_000;

    private final Told<T> told;
    private final Map<String, Learned<T>> learned = new ConcurrentHashMap<>();
    private final Set<String> gone = Collections.newSetFromMap(new Recent());

    /** @param object empty if it was removed; then uid and version are those that the watch still shows */
    private record Learned<T>(Optional<T> object, String uid, long version) {}

    /** What the watch has told so far. */
    interface Told<T> {

        /** The object under a key of {@link Cache}. */
        Optional<T> get(String key);

        /** All of them. */
        Stream<T> all();
    }

    /** Takes part in what the informer tells; it need not run yet. */
    public WatchedView(SharedIndexInformer<T> informer) {
        this(new Told<>() {
            @Override
            public Optional<T> get(String key) {
                return Optional.ofNullable(informer.getStore().getByKey(key));
            }

            @Override
            public Stream<T> all() {
                return informer.getStore().list().stream();
            }
        });
        informer.addEventHandler(this);
    }

    /** Whoever makes it tells it of additions, updates and deletions. */
    WatchedView(Told<T> told) {
        this.told = told;
    }

    @Override
    public Optional<T> get(String namespace, String name) {
        String key = Cache.namespaceKeyFunc(namespace, name);
        Optional<T> watched = watched(key);
        Learned<T> newer = learned.get(key);
        return newer == null || watched.filter(seen -> covers(seen, newer)).isPresent() ? watched : newer.object();
    }

    @Override
    public Stream<T> all() {
        Stream<T> watched = told.all().filter(seen -> !learned.containsKey(Cache.metaNamespaceKeyFunc(seen)));
        Stream<T> others = learned.keySet().stream().flatMap(key -> byKey(key).stream());
        return Stream.concat(watched, others);
    }

    private Optional<T> byKey(String key) {
        int slash = key.indexOf('/');
        return slash < 0 ? get("", key) : get(key.substring(0, slash), key.substring(slash + 1));
    }

    @Override
    public void learned(T object) {
        String key = Cache.metaNamespaceKeyFunc(object);
        Learned<T> fresh =
                new Learned<>(Optional.of(object), object.getMetadata().getUid(), version(object));
        learned.merge(key, fresh, (old, next) -> next.version() >= old.version() ? next : old);
        // The watch may have been faster than the answer.
        watched(key).ifPresent(this::told);
        if (isGone(fresh.uid())) {
            learned.remove(key, fresh);
        }
    }

    @Override
    public void absent(String namespace, String name) {
        String key = Cache.namespaceKeyFunc(namespace, name);
        learned.remove(key);
        watched(key).ifPresent(old -> {
            Learned<T> removal =
                    new Learned<>(Optional.empty(), old.getMetadata().getUid(), version(old));
            learned.put(key, removal);
            if (isGone(removal.uid())) {
                learned.remove(key, removal);
            }
        });
    }

    private Optional<T> watched(String key) {
        return told.get(key);
    }

    private boolean isGone(String uid) {
        synchronized (gone) {
            return gone.contains(uid);
        }
    }

    /** What the watch has told needs no memory of its own. */
    private void told(T seen) {
        learned.computeIfPresent(Cache.metaNamespaceKeyFunc(seen), (key, newer) -> covers(seen, newer) ? null : newer);
    }

    private static <T extends HasMetadata> boolean covers(T seen, Learned<T> newer) {
        long version = version(seen);
        // Of an object that we removed, the watch may still show the last version; a later one is another object.
        return newer.object().isPresent() ? version >= newer.version() : version > newer.version();
    }

    @Override
    public void onAdd(T object) {
        told(object);
    }

    @Override
    public void onUpdate(T old, T object) {
        told(object);
    }

    @Override
    public void onDelete(T object, boolean finalStateUnknown) {
        String uid = object.getMetadata().getUid();
        synchronized (gone) {
            gone.add(uid);
        }
        learned.computeIfPresent(
                Cache.metaNamespaceKeyFunc(object), (key, newer) -> Objects.equals(newer.uid(), uid) ? null : newer);
    }

    /** Answers are not late by more than so many deletions. */
    private static final class Recent extends LinkedHashMap<String, Boolean> {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
            return size() > KEPT;
        }
    }

    /** Versions of one kind are numbers that grow; Kubernetes says so since 1.35. */
    private static long version(HasMetadata object) {
        return Long.parseUnsignedLong(object.getMetadata().getResourceVersion());
    }
}
