package dev.escapement.kubernetes.controller;

import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.javaoperatorsdk.operator.RegisteredController;
import io.javaoperatorsdk.operator.health.InformerHealthIndicator;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.BooleanSupplier;

/** Whether what is known of the cluster is what the cluster says: a watch that is cut off shows an old world. */
final class WatchHealth {

    private record Watch(BooleanSupplier synced, BooleanSupplier connected) {}

    private final Map<String, Watch> watches = new ConcurrentSkipListMap<>();

    void add(String what, SharedIndexInformer<?> informer) {
        watches.put(what, new Watch(informer::hasSynced, informer::isWatching));
    }

    /** Takes the watches of a controller, once it has begun. */
    void add(RegisteredController<?> controller) {
        controller.getControllerHealthInfo().informerEventSourceHealthIndicators().values().stream()
                .flatMap(source -> informerIndicators(source).values().stream())
                .forEach(informer -> watches.put(
                        controller.getConfiguration().getName(), new Watch(informer::hasSynced, informer::isWatching)));
    }

    @SuppressWarnings("unchecked") // The framework's map has no type parameters.
    private static Map<String, InformerHealthIndicator> informerIndicators(
            @SuppressWarnings("rawtypes")
                    io.javaoperatorsdk.operator.health.InformerWrappingEventSourceHealthIndicator source) {
        return source.informerHealthIndicators();
    }

    /** What was never heard of; empty if all is known. */
    Optional<String> findUnsynced() {
        return watches.entrySet().stream()
                .filter(watch -> !watch.getValue().synced().getAsBoolean())
                .map(watch -> "the watch of " + watch.getKey()
                        + " has not begun: see whether the API server answers, and whether the operator may list and"
                        + " watch them")
                .findFirst();
    }

    /** What is cut off now; empty if every watch is there. Each is now and then, for the moment that it begins anew. */
    Optional<String> findDisconnected() {
        return watches.entrySet().stream()
                .filter(watch -> !watch.getValue().connected().getAsBoolean())
                .map(watch -> "the watch of " + watch.getKey() + " is cut off")
                .findFirst();
    }
}
