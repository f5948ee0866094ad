package dev.escapement.kubernetes.operator;

import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.javaoperatorsdk.operator.RegisteredController;
import io.javaoperatorsdk.operator.health.InformerHealthIndicator;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/** Whether what is known of the cluster is what the cluster says: a watch that is cut off shows an old world. */
final class Caches {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private record Watch(BooleanSupplier synced, BooleanSupplier watching) {}

    private final LongSupplier nanos;
    private final Map<String, Watch> watches = new ConcurrentSkipListMap<>();
    private final Map<String, Long> away = new ConcurrentHashMap<>();

    /** @param nanos a steady clock such as {@link System#nanoTime} */
    Caches(LongSupplier nanos) {
        this.nanos = nanos;
    }

    void add(String what, SharedIndexInformer<?> informer) {
        watches.put(what, new Watch(informer::hasSynced, informer::isWatching));
    }

    /** Takes the watches of a controller, once it has begun. */
    void add(RegisteredController<?> controller) {
        controller.getControllerHealthInfo().informerEventSourceHealthIndicators().values().stream()
                .flatMap(source -> indicators(source).values().stream())
                .forEach(informer -> watches.put(
                        controller.getConfiguration().getName(), new Watch(informer::hasSynced, informer::isWatching)));
    }

    @SuppressWarnings("unchecked") // The framework's map has no type parameters.
    private static Map<String, InformerHealthIndicator> indicators(
            @SuppressWarnings("rawtypes")
                    io.javaoperatorsdk.operator.health.InformerWrappingEventSourceHealthIndicator source) {
        return source.informerHealthIndicators();
    }

    /** Whether every watch is there now. */
    boolean isConnected() {
        return watches.values().stream().allMatch(watch -> watch.watching().getAsBoolean());
    }

    /** What was never heard of; empty if all is known. */
    Optional<String> unsynced() {
        return watches.entrySet().stream()
                .filter(watch -> !watch.getValue().synced().getAsBoolean())
                .map(watch -> "the watch of " + watch.getKey()
                        + " has not begun: see whether the API server answers, and whether the operator may list and"
                        + " watch them")
                .findFirst();
    }

    /** What was cut off for too long; empty if nothing is. It counts from the first look that found it so. */
    Optional<String> stale() {
        long now = nanos.getAsLong();
        Optional<String> stale = Optional.empty();
        for (Map.Entry<String, Watch> watch : watches.entrySet()) {
            if (watch.getValue().watching().getAsBoolean()) {
                away.remove(watch.getKey());
            } else if (now - away.computeIfAbsent(watch.getKey(), what -> now) > PATIENCE.toNanos()) {
                stale = Optional.of("the watch of " + watch.getKey()
                        + " is cut off for more than a minute: see whether the API server answers");
            }
        }
        return stale;
    }
}
