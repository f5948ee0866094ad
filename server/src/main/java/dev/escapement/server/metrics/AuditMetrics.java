package dev.escapement.server.metrics;

import dev.escapement.engine.port.Journal;
import dev.escapement.notifications.audit.ChainEntry;
import dev.escapement.notifications.audit.ChainHead;
import dev.escapement.notifications.audit.sink.SinkResponse;
import dev.escapement.notifications.audit.sink.SinkStore.Backlog;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Metrics of the audit trail and of its sink. */
public final class AuditMetrics {

    private static final ChainHead EMPTY =
            new ChainHead(0, ChainEntry.FIRST_PREVIOUS_HASH, Journal.START, 0, ChainEntry.FIRST_PREVIOUS_HASH);

    private static final String ATTEMPTS = "escapement.audit.sink.attempts";
    private static final String ATTEMPTS_DESCRIPTION = "Requests of this server to the audit sink, by result";

    private final Meters meters;

    public AuditMetrics(MeterRegistry registry) {
        this.meters = new Meters(registry);
    }

    /**
     * Registers gauges of the trail, which is read when they are scraped.
     *
     * @param ticker a monotonic clock such as {@link System#nanoTime}
     */
    public void registerTrail(Supplier<ChainHead> source, LongSupplier ticker) {
        var head = new CachedValue<>("the head of the audit trail", source, EMPTY, ticker);
        meters.gauge(
                "escapement.audit.sequence",
                "The number of the newest entry of the audit trail",
                () -> head.get().sequence());
        meters.gauge(
                "escapement.audit.entries",
                "Entries of the audit trail that are kept",
                () -> head.get().sequence() - head.get().anchorSequence());
    }

    /** Counts a request to the sink. */
    public void countAttempt(SinkResponse response) {
        attempts(
                        response instanceof SinkResponse.Accepted
                                ? "accepted"
                                : response instanceof SinkResponse.Refused ? "refused" : "unavailable")
                .increment();
    }

    private Counter attempts(String result) {
        return meters.counter(ATTEMPTS, ATTEMPTS_DESCRIPTION, "result", result);
    }

    /**
     * Registers gauges of the sink, whose backlog is read when they are scraped.
     *
     * @param ticker a monotonic clock such as {@link System#nanoTime}
     */
    public void registerSink(Supplier<Backlog> source, InstantSource clock, LongSupplier ticker) {
        var backlog = new CachedValue<>("the backlog of the audit sink", source, Backlog.NONE, ticker);
        List.of("accepted", "refused", "unavailable").forEach(this::attempts);
        meters.gauge(
                "escapement.audit.sink.lag",
                "Audit records that the sink has not confirmed",
                () -> backlog.get().records());
        meters.gauge(
                "escapement.audit.sink.lag.seconds",
                "Age of the oldest audit record that the sink has not confirmed",
                () -> backlog.get()
                        .oldest()
                        .map(oldest -> Math.max(
                                0, Duration.between(oldest, clock.instant()).toSeconds()))
                        .orElse(0L));
        meters.gauge(
                "escapement.audit.dead.letters",
                "Audit records that the sink refused and that were not delivered since",
                () -> backlog.get().deadLetters());
    }
}
