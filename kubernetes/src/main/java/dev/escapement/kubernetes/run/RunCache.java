package dev.escapement.kubernetes.run;

import dev.escapement.kubernetes.cache.ReadYourWritesCache;
import dev.escapement.kubernetes.cache.ResourceCache;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * Caches the runs of one kind in one namespace, with an index by execution. It must receive the events of the informer.
 */
public final class RunCache<T extends HasMetadata> implements ResourceEventHandler<T> {

    private static final int MAX_DELETED_UIDS = 1_000;

    private final ResourceCache<T> cache;
    private final String namespace;
    private final Map<String, Set<String>> namesByExecutionUid = new ConcurrentHashMap<>();
    private final Set<String> deletedUids = Collections.synchronizedSet(Collections.newSetFromMap(new BoundedUidMap()));

    public RunCache(ResourceCache<T> cache, String namespace) {
        this.cache = cache;
        this.namespace = namespace;
    }

    /** Creates a cache that listens to the informer, which need not have started yet. */
    public static <T extends HasMetadata> RunCache<T> ofInformer(SharedIndexInformer<T> informer, String namespace) {
        RunCache<T> cache = new RunCache<>(new ReadYourWritesCache<>(informer), namespace);
        informer.addEventHandler(cache);
        return cache;
    }

    Optional<T> get(String name) {
        return cache.get(namespace, name)
                .filter(run -> !deletedUids.contains(run.getMetadata().getUid()));
    }

    /** Returns the runs of an execution: at most one, unless its target was changed by hand. */
    List<T> findByExecution(String uid) {
        return namesByExecutionUid.getOrDefault(uid, Set.of()).stream()
                .flatMap(name -> get(name).stream())
                .toList();
    }

    Stream<T> all() {
        return cache.all().filter(run -> !deletedUids.contains(run.getMetadata().getUid()));
    }

    void recordLatest(T run) {
        index(run);
        cache.recordLatest(run);
    }

    /** Records that the API server has no run of that name. */
    void recordAbsent(String name) {
        cache.recordAbsent(namespace, name);
    }

    /** Records a deletion by this process. The watch may not even have reported the creation yet. */
    void recordDeleted(T run) {
        deletedUids.add(run.getMetadata().getUid());
        recordAbsent(run.getMetadata().getName());
        unindex(run);
    }

    @Override
    public void onAdd(T run) {
        index(run);
    }

    @Override
    public void onUpdate(T old, T run) {
        index(run);
    }

    @Override
    public void onDelete(T run, boolean finalStateUnknown) {
        unindex(run);
    }

    private void index(T run) {
        namesByExecutionUid
                .computeIfAbsent(RunLabels.executionUid(run), uid -> ConcurrentHashMap.newKeySet())
                .add(run.getMetadata().getName());
    }

    /** The watch is never behind by more deletions than this. */
    private static final class BoundedUidMap extends LinkedHashMap<String, Boolean> {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
            return size() > MAX_DELETED_UIDS;
        }
    }

    private void unindex(T run) {
        namesByExecutionUid.computeIfPresent(RunLabels.executionUid(run), (uid, names) -> {
            names.remove(run.getMetadata().getName());
            return names.isEmpty() ? null : names;
        });
    }
}
