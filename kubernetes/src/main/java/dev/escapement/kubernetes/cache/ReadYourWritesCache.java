package dev.escapement.kubernetes.cache;

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
public final class ReadYourWritesCache<T extends HasMetadata> implements ResourceCache<T>, ResourceEventHandler<T> {

    private static final int MAX_DELETED_UIDS = 1_000;

    private final WatchedObjects<T> watchedObjects;
    private final Map<String, OverlayEntry<T>> overlay = new ConcurrentHashMap<>();
    private final Set<String> deletedUids = Collections.newSetFromMap(new BoundedUidMap());

    /** @param object empty if it was removed; then uid and version are those that the watch still shows */
    private record OverlayEntry<T>(Optional<T> object, String uid, long version) {}

    /** What the watch has told so far. */
    interface WatchedObjects<T> {

        /** The object under a key of {@link Cache}. */
        Optional<T> get(String key);

        /** All of them. */
        Stream<T> all();
    }

    /** Takes part in what the informer tells; it need not run yet. */
    public ReadYourWritesCache(SharedIndexInformer<T> informer) {
        this(new WatchedObjects<>() {
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
    ReadYourWritesCache(WatchedObjects<T> told) {
        this.watchedObjects = told;
    }

    @Override
    public Optional<T> get(String namespace, String name) {
        String key = Cache.namespaceKeyFunc(namespace, name);
        Optional<T> watched = watchedObject(key);
        OverlayEntry<T> newer = overlay.get(key);
        return newer == null || watched.filter(seen -> covers(seen, newer)).isPresent() ? watched : newer.object();
    }

    @Override
    public Stream<T> all() {
        Stream<T> watched = watchedObjects.all().filter(seen -> !overlay.containsKey(Cache.metaNamespaceKeyFunc(seen)));
        Stream<T> others = overlay.keySet().stream().flatMap(key -> getByKey(key).stream());
        return Stream.concat(watched, others);
    }

    private Optional<T> getByKey(String key) {
        int slash = key.indexOf('/');
        return slash < 0 ? get("", key) : get(key.substring(0, slash), key.substring(slash + 1));
    }

    @Override
    public void recordLatest(T object) {
        String key = Cache.metaNamespaceKeyFunc(object);
        OverlayEntry<T> fresh =
                new OverlayEntry<>(Optional.of(object), object.getMetadata().getUid(), versionOf(object));
        overlay.merge(key, fresh, (old, next) -> next.version() >= old.version() ? next : old);
        // The watch may have been faster than the answer.
        watchedObject(key).ifPresent(this::dropCoveredOverlay);
        if (wasDeleted(fresh.uid())) {
            overlay.remove(key, fresh);
        }
    }

    @Override
    public void recordAbsent(String namespace, String name) {
        String key = Cache.namespaceKeyFunc(namespace, name);
        overlay.remove(key);
        watchedObject(key).ifPresent(old -> {
            OverlayEntry<T> removal =
                    new OverlayEntry<>(Optional.empty(), old.getMetadata().getUid(), versionOf(old));
            overlay.put(key, removal);
            if (wasDeleted(removal.uid())) {
                overlay.remove(key, removal);
            }
        });
    }

    private Optional<T> watchedObject(String key) {
        return watchedObjects.get(key);
    }

    private boolean wasDeleted(String uid) {
        synchronized (deletedUids) {
            return deletedUids.contains(uid);
        }
    }

    /** What the watch has told needs no memory of its own. */
    private void dropCoveredOverlay(T seen) {
        overlay.computeIfPresent(Cache.metaNamespaceKeyFunc(seen), (key, newer) -> covers(seen, newer) ? null : newer);
    }

    private static <T extends HasMetadata> boolean covers(T seen, OverlayEntry<T> newer) {
        long version = versionOf(seen);
        // Of an object that we removed, the watch may still show the last version; a later one is another object.
        return newer.object().isPresent() ? version >= newer.version() : version > newer.version();
    }

    @Override
    public void onAdd(T object) {
        dropCoveredOverlay(object);
    }

    @Override
    public void onUpdate(T old, T object) {
        dropCoveredOverlay(object);
    }

    @Override
    public void onDelete(T object, boolean finalStateUnknown) {
        String uid = object.getMetadata().getUid();
        synchronized (deletedUids) {
            deletedUids.add(uid);
        }
        overlay.computeIfPresent(
                Cache.metaNamespaceKeyFunc(object), (key, newer) -> Objects.equals(newer.uid(), uid) ? null : newer);
    }

    /** Answers are not late by more than so many deletions. */
    private static final class BoundedUidMap extends LinkedHashMap<String, Boolean> {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
            return size() > MAX_DELETED_UIDS;
        }
    }

    /** Versions of one kind are numbers that grow; Kubernetes says so since 1.35. */
    private static long versionOf(HasMetadata object) {
        return Long.parseUnsignedLong(object.getMetadata().getResourceVersion());
    }
}
