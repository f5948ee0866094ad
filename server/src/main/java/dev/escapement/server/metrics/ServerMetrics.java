package dev.escapement.server.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.config.MeterFilter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

/** Metrics of the server itself. */
public final class ServerMetrics {

    private static final Duration[] BUCKETS = {
        Duration.ofMillis(1),
        Duration.ofMillis(5),
        Duration.ofMillis(25),
        Duration.ofMillis(100),
        Duration.ofMillis(500),
        Duration.ofSeconds(5)
    };

    private final MeterRegistry registry;
    private final Timer reconcileTimer;

    /** Keeps the suppliers from being collected: a Micrometer counter refers to its source weakly. */
    private final List<LongSupplier> countedSuppliers = new ArrayList<>();

    /** Registers memory and reconciliation; the other methods register the metrics of a part when it is opened. */
    public ServerMetrics(MeterRegistry registry) {
        this.registry = registry;
        registry.config().meterFilter(MeterFilter.denyNameStartsWith("jvm.buffer"));
        new JvmMemoryMetrics().bindTo(registry);
        this.reconcileTimer = Timer.builder("workflowexecution.reconcile")
                .description("Duration of one reconciliation of one execution")
                .serviceLevelObjectives(BUCKETS)
                .register(registry);
    }

    public Timer reconcileTimer() {
        return reconcileTimer;
    }

    public void registerStore(LongSupplier statements, LongSupplier transactions) {
        countedSuppliers.add(statements);
        countedSuppliers.add(transactions);
        FunctionCounter.builder("escapement.store.statements", statements, LongSupplier::getAsLong)
                .description("SQL statements executed")
                .register(registry);
        FunctionCounter.builder("escapement.store.transactions", transactions, LongSupplier::getAsLong)
                .description("Transactions that wrote")
                .register(registry);
    }

    public void countKubernetesRequest(String method, int code) {
        Counter.builder("escapement.kubernetes.requests")
                .description("Requests to the Kubernetes API server, by method and status code")
                .tag("method", method)
                .tag("code", Integer.toString(code))
                .register(registry)
                .increment();
    }

    public void registerQueueDepth(IntSupplier depth) {
        Gauge.builder("escapement.queue.depth", depth, IntSupplier::getAsInt)
                .description("Executions that wait or are being processed")
                .strongReference(true)
                .register(registry);
    }

    /** Registers metrics of Kubernetes Events that are not written yet. */
    public void registerPendingEvents(IntSupplier events, LongSupplier lost) {
        countedSuppliers.add(lost);
        FunctionCounter.builder("escapement.kubernetes.events.lost", lost, LongSupplier::getAsLong)
                .description(
                        "Kubernetes Events that could not be written; those of stored transitions are replayed later")
                .register(registry);
        Gauge.builder("escapement.kubernetes.events.waiting", events, IntSupplier::getAsInt)
                .description("Kubernetes Events that wait to be written")
                .strongReference(true)
                .register(registry);
    }

    public void registerEventClients(IntSupplier count) {
        Gauge.builder("escapement.event.clients", count, IntSupplier::getAsInt)
                .description("Open event streams and followed logs")
                .strongReference(true)
                .register(registry);
    }

    /**
     * Registers whether this server may start runs.
     *
     * @param held returns 1 while it may, else 0
     */
    public void registerLease(IntSupplier held) {
        Gauge.builder("escapement.lease.held", held, IntSupplier::getAsInt)
                .description(
                        "1 while this server may start runs, 0 while its lease is expired or another replica leads")
                .strongReference(true)
                .register(registry);
    }
}
