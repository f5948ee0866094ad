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

/** How the server itself is doing. */
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

    /** A counter of Micrometer only holds weakly what it counts: without this it would stand still after a while. */
    private final List<LongSupplier> countedSuppliers = new ArrayList<>();

    /** Registers nothing but the memory; the rest as its parts come into being. */
    public ServerMetrics(MeterRegistry registry) {
        this.registry = registry;
        registry.config().meterFilter(MeterFilter.denyNameStartsWith("jvm.buffer"));
        new JvmMemoryMetrics().bindTo(registry);
        this.reconcileTimer = Timer.builder("workflowexecution.reconcile")
                .description("How long one look at one execution takes")
                .serviceLevelObjectives(BUCKETS)
                .register(registry);
    }

    /** The time of one look. */
    public Timer reconcileTimer() {
        return reconcileTimer;
    }

    /** What the store was asked for. */
    public void registerStore(LongSupplier statements, LongSupplier transactions) {
        countedSuppliers.add(statements);
        countedSuppliers.add(transactions);
        FunctionCounter.builder("escapement.store.statements", statements, LongSupplier::getAsLong)
                .description("SQL statements made")
                .register(registry);
        FunctionCounter.builder("escapement.store.transactions", transactions, LongSupplier::getAsLong)
                .description("Transactions that wrote")
                .register(registry);
    }

    /** What the API server of a cluster was asked for, and what it answered. */
    public void countKubernetesRequest(String method, int code) {
        Counter.builder("escapement.kubernetes.requests")
                .description("Requests to the API server of the cluster, by method and code of the answer")
                .tag("method", method)
                .tag("code", Integer.toString(code))
                .register(registry)
                .increment();
    }

    /** What waits. */
    public void registerQueueDepth(IntSupplier depth) {
        Gauge.builder("escapement.queue.depth", depth, IntSupplier::getAsInt)
                .description("Executions that wait for a look or are being looked at")
                .strongReference(true)
                .register(registry);
    }

    /** What has happened on a cluster and is not told there yet. */
    public void registerPendingEvents(IntSupplier events, LongSupplier lost) {
        countedSuppliers.add(lost);
        FunctionCounter.builder("escapement.kubernetes.events.lost", lost, LongSupplier::getAsLong)
                .description(
                        "Times that an Event could not be written to the cluster; what is stored is told again later")
                .register(registry);
        Gauge.builder("escapement.kubernetes.events.waiting", events, IntSupplier::getAsInt)
                .description("Events that wait to be written to the cluster")
                .strongReference(true)
                .register(registry);
    }

    /** Who listens. */
    public void registerEventClients(IntSupplier count) {
        Gauge.builder("escapement.event.clients", count, IntSupplier::getAsInt)
                .description("Clients that listen to live events or follow a log")
                .strongReference(true)
                .register(registry);
    }

    /** Whether this server may start runs. */
    public void registerLease(IntSupplier held) {
        Gauge.builder("escapement.lease.held", held, IntSupplier::getAsInt)
                .description(
                        "1 while this server may start runs, 0 while it could not renew its lease or another one leads")
                .strongReference(true)
                .register(registry);
    }
}
