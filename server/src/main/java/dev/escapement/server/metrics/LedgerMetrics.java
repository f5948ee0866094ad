package dev.escapement.server.metrics;

import dev.escapement.engine.port.ExecutionQueries;
import dev.escapement.engine.port.ExecutionQueries.EntryFilter;
import dev.escapement.engine.port.ExecutionQueries.Page;
import dev.escapement.engine.port.Versioned;
import dev.escapement.governor.FailureScope;
import dev.escapement.governor.ledger.FailureStreak;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.ledger.LedgerEntry.Held;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Metrics of the ledger: held locks and failing targets. The ledger is read when metrics are scraped, at most every few
 * seconds and up to a limit of entries; the number of series is limited too.
 */
public final class LedgerMetrics {

    private static final Logger LOG = LoggerFactory.getLogger(LedgerMetrics.class);
    private static final long TTL_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final int PAGE_SIZE = 500;
    private static final int MAX_ENTRIES_READ = 10_000;
    private static final int MAX_SERIES = 100;

    private final ExecutionQueries queries;
    private final InstantSource clock;
    private final LongSupplier ticker;
    private final MultiGauge failureGauge;
    private boolean loaded;
    private long readAt;
    private volatile long heldLocks;
    private volatile Optional<Instant> oldestHeldSince = Optional.empty();

    /** @param ticker a monotonic clock such as {@link System#nanoTime} */
    public LedgerMetrics(MeterRegistry registry, ExecutionQueries queries, InstantSource clock, LongSupplier ticker) {
        this.queries = queries;
        this.clock = clock;
        this.ticker = ticker;
        Gauge.builder("workflowexecution.locks.held", this, metrics -> metrics.heldLocks)
                .strongReference(true)
                .description("Targets held by an execution")
                .register(registry);
        TimeGauge.builder(
                        "workflowexecution.oldest.lock.age",
                        this,
                        TimeUnit.MILLISECONDS,
                        LedgerMetrics::oldestLockAgeMillis)
                .strongReference(true)
                .description("Age of the oldest held lock")
                .register(registry);
        failureGauge = MultiGauge.builder("workflowexecution.consecutive.failures")
                .description("Consecutive executions that could not start, for the at most 100 targets with the most")
                .register(registry);
    }

    private double oldestLockAgeMillis() {
        return oldestHeldSince
                .map(since ->
                        Math.max(0, Duration.between(since, clock.instant()).toMillis()))
                .orElse(0L)
                .doubleValue();
    }

    /** Reads the ledger if the last read is old enough. Values that cannot be read stay unchanged. */
    public synchronized void refresh() {
        long now = ticker.getAsLong();
        if (loaded && now - readAt < TTL_NANOS) {
            return;
        }
        loaded = true;
        readAt = now;
        try {
            readHeld();
            readFailing();
        } catch (RuntimeException failure) {
            LOG.debug("Reading the ledger for the metrics failed: {}", failure.toString());
        }
    }

    private void readHeld() {
        List<Instant> since = new ArrayList<>();
        forEach(EntryFilter.HELD, entry -> {
            if (entry instanceof Held held) {
                since.add(held.holder().since());
            }
        });
        heldLocks = since.size();
        oldestHeldSince = since.stream().min(Comparator.naturalOrder());
    }

    private void readFailing() {
        Map<String, Integer> counts = new HashMap<>();
        forEach(EntryFilter.FAILING, entry -> {
            // The count of the target, or the highest count of a workflow if failures are counted per workflow.
            int count = Math.max(
                    entry.memory().consecutiveFailures(FailureScope.TARGET, ""),
                    entry.memory().workflows().values().stream()
                            .flatMap(memory -> memory.failureStreak().stream())
                            .mapToInt(FailureStreak::failures)
                            .max()
                            .orElse(0));
            if (count > 0) {
                counts.put(entry.target().canonical(), count);
            }
        });
        List<MultiGauge.Row<?>> worst = counts.entrySet().stream()
                .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
                .limit(MAX_SERIES)
                .<MultiGauge.Row<?>>map(
                        each -> MultiGauge.Row.of(Tags.of("target_resource", each.getKey()), each.getValue()))
                .toList();
        failureGauge.register(worst, true);
    }

    private void forEach(EntryFilter filter, Consumer<LedgerEntry> reader) {
        Optional<String> token = Optional.of("");
        for (int read = 0; token.isPresent() && read < MAX_ENTRIES_READ; read += PAGE_SIZE) {
            Page<Versioned<LedgerEntry>> page = queries.listEntries(filter, token.get(), PAGE_SIZE);
            page.items().forEach(entry -> reader.accept(entry.value()));
            token = page.nextToken();
        }
    }
}
