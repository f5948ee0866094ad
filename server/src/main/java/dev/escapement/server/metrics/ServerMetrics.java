package dev.escapement.server.metrics;

import dev.escapement.storage.jdbc.StatementCounters.Counts;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.config.MeterFilter;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Metrics of the server itself. */
public final class ServerMetrics {

    private static final long[] BUCKET_MILLIS = {1, 5, 25, 100, 500, 5_000};

    private final Meters meters;
    private final Timer reconcileTimer;

    /** Registers memory and reconciliation; the other methods register the metrics of a part when it is opened. */
    public ServerMetrics(MeterRegistry registry) {
        this.meters = new Meters(registry);
        registry.config().meterFilter(MeterFilter.denyNameStartsWith("jvm.buffer"));
        new JvmMemoryMetrics().bindTo(registry);
        this.reconcileTimer = meters.timer(
                "workflowexecution.reconcile", "Duration of one reconciliation of one execution", BUCKET_MILLIS);
    }

    public Timer reconcileTimer() {
        return reconcileTimer;
    }

    public void registerStore(Supplier<Counts> counts) {
        meters.counter(
                "escapement.store.statements",
                "SQL statements executed",
                () -> counts.get().statements());
        meters.counter(
                "escapement.store.transactions",
                "Transactions that wrote",
                () -> counts.get().writeTransactions());
    }

    public void countKubernetesRequest(String method, int code) {
        String description = "Requests to the Kubernetes API server, by method and status code";
        String status = Integer.toString(code);
        meters.counter("escapement.kubernetes.requests", description, "method", method, "code", status)
                .increment();
    }

    public void registerQueueDepth(IntSupplier depth) {
        meters.gauge("escapement.queue.depth", "Executions that wait or are being processed", depth::getAsInt);
    }

    /** Registers metrics of Kubernetes Events that are not written yet. */
    public void registerPendingEvents(IntSupplier events, LongSupplier lost) {
        meters.counter(
                "escapement.kubernetes.events.lost",
                "Kubernetes Events that could not be written; those of stored transitions are replayed later",
                lost);
        meters.gauge(
                "escapement.kubernetes.events.waiting", "Kubernetes Events that wait to be written", events::getAsInt);
    }

    /**
     * Registers metrics of both modes.
     *
     * @param held whether this server may start runs
     */
    public void registerServer(IntSupplier eventClients, BooleanSupplier held) {
        meters.gauge("escapement.event.clients", "Open event streams and followed logs", eventClients::getAsInt);
        meters.gauge(
                "escapement.lease.held",
                "1 while this server may start runs, 0 while its lease is expired or another replica leads",
                () -> held.getAsBoolean() ? 1 : 0);
    }
}
