package dev.escapement.kubernetes.cache;

import dev.escapement.common.BoundedMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.dsl.Informable;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.fabric8.kubernetes.client.informers.cache.BasicItemStore;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Caches the objects of one kind: the item store of their informer, overlaid with the responses to our own requests
 * until the watch has delivered as much. So a reader sees what this process has written. A read may still be stale:
 * what is decided on it must be written under the version that was read.
 *
 * <p>Listeners are called when the cache shows the change already; they must not block or throw. All methods may be
 * called by several threads.
 */
public final class ResourceCache<T extends HasMetadata> extends BasicItemStore<T> {

    /** A response is not late by more deletions than this, nor is the watch. */
    private static final int MAX_DELETED_UIDS = 1_000;

    /** Objects of the maximum size of etcd, 1.5 MB, must fit into the memory of the operator. */
    private static final long PAGE_SIZE = 50;

    private final UnaryOperator<T> trimmer;
    private final boolean trimmed;
    private final Function<T, String> ownerOf;
    private final Map<String, OverlayEntry<T>> overlay = new ConcurrentHashMap<>();
    private final Map<String, Set<String>> keysByOwner = new ConcurrentHashMap<>();

    /** The uids of deleted objects, and whether it was us who deleted them. */
    private final Map<String, Boolean> deletedUids = new BoundedMap<>(MAX_DELETED_UIDS);

    private final List<Consumer<T>> addListeners = new CopyOnWriteArrayList<>();
    private final List<BiConsumer<T, T>> updateListeners = new CopyOnWriteArrayList<>();
    private final List<Consumer<T>> deleteListeners = new CopyOnWriteArrayList<>();

    /** @param object empty if it is absent; then uid and version are those that the watch still shows */
    private record OverlayEntry<T>(Optional<T> object, String uid, long version) {}

    /** Creates a cache of whole objects. */
    public ResourceCache() {
        this(UnaryOperator.identity(), false, object -> "");
    }

    /** Creates a cache without owners. */
    public ResourceCache(UnaryOperator<T> trimmer) {
        this(trimmer, true, object -> "");
    }

    /**
     * Creates a cache that keeps only a part of every object that the watch delivers.
     *
     * @param trimmer must not change its argument; its result has at least the name, the uid and the version
     * @param ownerOf what {@link #findByOwner} finds an object by; may be empty
     */
    public ResourceCache(UnaryOperator<T> trimmer, Function<T, String> ownerOf) {
        this(trimmer, true, ownerOf);
    }

    private ResourceCache(UnaryOperator<T> trimmer, boolean trimmed, Function<T, String> ownerOf) {
        super(Cache::metaNamespaceKeyFunc);
        this.trimmer = trimmer;
        this.trimmed = trimmed;
        this.ownerOf = ownerOf;
    }

    /**
     * Returns an informer that fills this cache. It retries after every failure, also at the start: an API server may
     * refuse a resource for a moment after its definition was created. It lists in pages, so that only one page at a
     * time is in memory untrimmed. Add it to {@link WatchHealth}, which reports informers that stay disconnected.
     */
    public SharedIndexInformer<T> newInformer(Informable<T> objects) {
        return objects.withLimit(PAGE_SIZE)
                .runnableInformer(0)
                .itemStore(this)
                .exceptionHandler((started, failure) -> true);
    }

    /** Listens to objects that the watch delivers for the first time. */
    public void onAdd(Consumer<T> listener) {
        addListeners.add(listener);
    }

    /** Listens to objects that the watch delivers again, with the object before. */
    public void onUpdate(BiConsumer<T, T> listener) {
        updateListeners.add(listener);
    }

    /** Listens to deletions, with the last state that the watch has delivered. */
    public void onDelete(Consumer<T> listener) {
        deleteListeners.add(listener);
    }

    /** Returns the object of that name; the namespace is empty for an object without one. */
    public Optional<T> get(String namespace, String name) {
        return find(Cache.namespaceKeyFunc(namespace, name));
    }

    /** Returns the object of that name if it has that uid: one that was created again is another object. */
    public Optional<T> get(String namespace, String name, String uid) {
        return get(namespace, name)
                .filter(found -> uid.equals(found.getMetadata().getUid()));
    }

    /** Returns all objects, in no order. */
    public Stream<T> all() {
        return Stream.concat(keySet(), overlay.keySet().stream()).distinct().flatMap(key -> find(key).stream());
    }

    public List<T> findByOwner(String owner) {
        return keysByOwner.getOrDefault(owner, Set.of()).stream()
                .flatMap(key -> find(key).stream())
                .toList();
    }

    private Optional<T> find(String key) {
        Optional<T> watched = watched(key);
        OverlayEntry<T> newer = overlay.get(key);
        return (newer == null || watched.filter(seen -> covers(seen, newer)).isPresent() ? watched : newer.object())
                .filter(found -> !deletion(found).orElse(false));
    }

    private Optional<T> watched(String key) {
        return Optional.ofNullable(get(key));
    }

    /** Records an object that the API server has returned. */
    public void recordLatest(T object) {
        String key = getKey(object);
        var fresh = new OverlayEntry<>(Optional.of(object), object.getMetadata().getUid(), versionOf(object));
        index(object);
        overlay.merge(key, fresh, (old, next) -> next.version() >= old.version() ? next : old);
        // The watch may have been faster than the response.
        watched(key).ifPresent(this::dropCoveredOverlay);
        if (deletion(object).isPresent()) {
            overlay.remove(key, fresh);
            unindex(object);
        }
    }

    /** Records that the API server has no object of that name. */
    public void recordAbsent(String namespace, String name) {
        String key = Cache.namespaceKeyFunc(namespace, name);
        overlay.remove(key);
        watched(key).ifPresent(old -> {
            var removal =
                    new OverlayEntry<T>(Optional.empty(), old.getMetadata().getUid(), versionOf(old));
            overlay.put(key, removal);
            if (deletion(old).isPresent()) {
                overlay.remove(key, removal);
            }
        });
    }

    /** Records that we have deleted an object. It stays hidden even if the watch delivers it only now. */
    public void recordDeleted(T object) {
        forget(object, true);
    }

    @Override
    public T put(String key, T object) {
        T before = super.put(key, trimmer.apply(object));
        boolean update = before != null
                && before.getMetadata().getUid().equals(object.getMetadata().getUid());
        if (before != null && !update) {
            // The watch was interrupted while the object was deleted and created again.
            notifyDeleted(before);
        }
        index(object);
        dropCoveredOverlay(object);
        if (update) {
            updateListeners.forEach(listener -> listener.accept(before, object));
        } else {
            addListeners.forEach(listener -> listener.accept(object));
        }
        return before;
    }

    @Override
    public T remove(String key) {
        T before = super.remove(key);
        if (before != null) {
            notifyDeleted(before);
        }
        return before;
    }

    @Override
    public boolean isFullState() {
        return !trimmed;
    }

    private void notifyDeleted(T object) {
        forget(object, false);
        deleteListeners.forEach(listener -> listener.accept(object));
    }

    private void forget(T object, boolean ownDeletion) {
        String uid = object.getMetadata().getUid();
        synchronized (deletedUids) {
            deletedUids.merge(uid, ownDeletion, Boolean::logicalOr);
        }
        overlay.computeIfPresent(getKey(object), (key, newer) -> Objects.equals(newer.uid(), uid) ? null : newer);
        unindex(object);
    }

    /** Returns whether we deleted the object; empty if it is not known to be deleted. */
    private Optional<Boolean> deletion(T object) {
        synchronized (deletedUids) {
            return Optional.ofNullable(deletedUids.get(object.getMetadata().getUid()));
        }
    }

    private void dropCoveredOverlay(T seen) {
        overlay.computeIfPresent(getKey(seen), (key, newer) -> covers(seen, newer) ? null : newer);
    }

    private static <T extends HasMetadata> boolean covers(T seen, OverlayEntry<T> newer) {
        long version = versionOf(seen);
        // Of an object that is absent, the watch may still show the last version; a later one is another object.
        return newer.object().isPresent() ? version >= newer.version() : version > newer.version();
    }

    /** Owners have one object, nearly always. */
    private void index(T object) {
        String owner = ownerOf.apply(object);
        if (!owner.isEmpty()) {
            keysByOwner.merge(
                    owner,
                    Set.of(getKey(object)),
                    (known, added) -> known.containsAll(added)
                            ? known
                            : Stream.concat(known.stream(), added.stream()).collect(Collectors.toUnmodifiableSet()));
        }
    }

    private void unindex(T object) {
        String key = getKey(object);
        keysByOwner.computeIfPresent(ownerOf.apply(object), (owner, keys) -> {
            var left = keys.stream().filter(other -> !other.equals(key)).collect(Collectors.toUnmodifiableSet());
            return left.isEmpty() ? null : left;
        });
    }

    /** Versions of one kind are numbers that grow; Kubernetes guarantees that since 1.35. */
    public static long versionOf(HasMetadata object) {
        return Long.parseUnsignedLong(object.getMetadata().getResourceVersion());
    }
}
