package dev.escapement.kubernetes.cache;

import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Starts watches and reports those that are not synced or not connected: what their caches show is stale then. */
public final class WatchHealth {

    private static final Duration SYNC_TIMEOUT = Duration.ofSeconds(60);

    private final Map<String, SharedIndexInformer<?>> informers = new ConcurrentSkipListMap<>();

    /** Adds a watch; the name says in the plural what it watches. */
    public void add(String name, SharedIndexInformer<?> informer) {
        informers.put(name, informer);
    }

    /** Describes a watch that has never been synced. */
    public Optional<String> findUnsynced() {
        return findFirst(informer -> !informer.hasSynced())
                .map(name -> "the watch of " + name
                        + " is not synced: check that the API server answers and that the operator may list and watch"
                        + " them");
    }

    /** Describes a watch that is disconnected now, as each is for a moment when it reconnects. */
    public Optional<String> findDisconnected() {
        return findFirst(informer -> !informer.isWatching()).map(name -> "the watch of " + name + " is disconnected");
    }

    /**
     * Starts informers and waits for their caches.
     *
     * @throws IllegalStateException if they are not synced within a minute
     */
    public static void startAll(Collection<? extends SharedIndexInformer<?>> informers) {
        try {
            CompletableFuture.allOf(informers.stream()
                            .map(informer -> informer.start().toCompletableFuture())
                            .toArray(CompletableFuture[]::new))
                    .get(SYNC_TIMEOUT.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the watches start", interrupted);
        } catch (ExecutionException | TimeoutException failure) {
            String unsynced = informers.stream()
                    .filter(informer -> !informer.hasSynced())
                    .map(informer -> informer.getApiTypeClass().getSimpleName())
                    .collect(Collectors.joining(", "));
            throw new IllegalStateException("cannot watch %s: %s".formatted(unsynced, failure), failure);
        }
    }

    private Optional<String> findFirst(Predicate<SharedIndexInformer<?>> condition) {
        return informers.entrySet().stream()
                .filter(watch -> condition.test(watch.getValue()))
                .map(Map.Entry::getKey)
                .findFirst();
    }
}
