package dev.escapement.kubernetes.controller;

import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Predicate;

/** Reports watches that are not synced or not connected: what the caches show is stale then. */
final class WatchHealth {

    private final Map<String, SharedIndexInformer<?>> informers = new ConcurrentSkipListMap<>();

    /** @param name of what it watches, in the plural */
    void add(String name, SharedIndexInformer<?> informer) {
        informers.put(name, informer);
    }

    /** Describes a watch that has never been synced. */
    Optional<String> findUnsynced() {
        return findFirst(informer -> !informer.hasSynced())
                .map(name -> "the watch of " + name
                        + " is not synced: check that the API server answers and that the operator may list and watch"
                        + " them");
    }

    /** Describes a watch that is disconnected now, as each is for a moment when it reconnects. */
    Optional<String> findDisconnected() {
        return findFirst(informer -> !informer.isWatching()).map(name -> "the watch of " + name + " is disconnected");
    }

    private Optional<String> findFirst(Predicate<SharedIndexInformer<?>> condition) {
        return informers.entrySet().stream()
                .filter(watch -> condition.test(watch.getValue()))
                .map(Map.Entry::getKey)
                .findFirst();
    }
}
