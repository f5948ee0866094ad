package dev.escapement.kubernetes.run;

import dev.escapement.kubernetes.store.View;
import dev.escapement.kubernetes.store.WatchedView;
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

/** What is known of the runs of one kind without asking: a view on them, and whose they are. */
public final class RunCache<T extends HasMetadata> implements ResourceEventHandler<T> {

    private static final int KEPT = 1_000;

    private final View<T> view;
    private final String namespace;
    private final Map<String, Set<String>> names = new ConcurrentHashMap<>();
    private final Set<String> gone = Collections.synchronizedSet(Collections.newSetFromMap(new Recent()));

    /** A cache of the runs in one namespace that must hear what the watch tells. */
    public RunCache(View<T> view, String namespace) {
        this.view = view;
        this.namespace = namespace;
    }

    /** Takes part in what the informer tells; it need not run yet. */
    public static <T extends HasMetadata> RunCache<T> over(SharedIndexInformer<T> informer, String namespace) {
        RunCache<T> cache = new RunCache<>(new WatchedView<>(informer), namespace);
        informer.addEventHandler(cache);
        return cache;
    }

    Optional<T> named(String name) {
        return view.get(namespace, name)
                .filter(run -> !gone.contains(run.getMetadata().getUid()));
    }

    /** The runs of an execution; there is one at most, unless its target was changed by hand. */
    List<T> ofExecution(String uid) {
        return names.getOrDefault(uid, Set.of()).stream()
                .flatMap(name -> named(name).stream())
                .toList();
    }

    Stream<T> all() {
        return view.all().filter(run -> !gone.contains(run.getMetadata().getUid()));
    }

    void learned(T run) {
        remember(run);
        view.learned(run);
    }

    /** The API server has said that there is none of that name. */
    void absent(String name) {
        view.absent(namespace, name);
    }

    /** We have deleted it. The watch may not even have told yet that it was there. */
    void removed(T run) {
        gone.add(run.getMetadata().getUid());
        absent(run.getMetadata().getName());
        forget(run);
    }

    @Override
    public void onAdd(T run) {
        remember(run);
    }

    @Override
    public void onUpdate(T old, T run) {
        remember(run);
    }

    @Override
    public void onDelete(T run, boolean finalStateUnknown) {
        forget(run);
    }

    private void remember(T run) {
        names.computeIfAbsent(RunLabels.executionUid(run), uid -> ConcurrentHashMap.newKeySet())
                .add(run.getMetadata().getName());
    }

    /** The watch is not behind by more deletions of ours than this. */
    private static final class Recent extends LinkedHashMap<String, Boolean> {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
            return size() > KEPT;
        }
    }

    private void forget(T run) {
        names.computeIfPresent(RunLabels.executionUid(run), (uid, known) -> {
            known.remove(run.getMetadata().getName());
            return known.isEmpty() ? null : known;
        });
    }
}
