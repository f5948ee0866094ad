package dev.escapement.server.metrics;

import dev.escapement.engine.port.ExecutionQueries;
import dev.escapement.engine.port.ExecutionQueries.EntryFilter;
import dev.escapement.engine.port.ExecutionQueries.Page;
import dev.escapement.engine.port.Versioned;
import dev.escapement.governor.FailureScope;
import dev.escapement.governor.ledger.FailureStreak;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.ledger.LedgerEntry.Held;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
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
import java.util.stream.Stream;

/**
 * Metrics of the ledger: held locks and failing targets. The ledger is read when metrics are scraped, at most every few
 * seconds and up to a limit of entries; the number of series is limited too.
 */
public final class LedgerMetrics {

    private static final int PAGE_SIZE = 500;
    private static final int MAX_ENTRIES_READ = 10_000;
    private static final int MAX_SERIES = 100;

    private final PrometheusMeterRegistry registry;
    private final ExecutionQueries queries;
    private final InstantSource clock;
    /** Since when each lock is held. */
    private final CachedValue<List<Instant>> heldLocks;

    private final CachedValue<List<MultiGauge.Row<?>>> failures;
    private final MultiGauge failureGauge;

    public LedgerMetrics(PrometheusMeterRegistry registry, ExecutionQueries queries, InstantSource clock) {
        this.registry = registry;
        this.queries = queries;
        this.clock = clock;
        this.heldLocks = new CachedValue<>("held locks", this::readHeldLocks, List.of(), System::nanoTime);
        this.failures = new CachedValue<>("failing targets", this::readFailures, List.of(), System::nanoTime);
        new Meters(registry)
                .gauge(
                        "workflowexecution.locks.held",
                        "Targets held by an execution",
                        () -> heldLocks.get().size());
        TimeGauge.builder("workflowexecution.oldest.lock.age", this::oldestLockAgeMillis, TimeUnit.MILLISECONDS)
                .description("Age of the oldest held lock")
                .register(registry);
        failureGauge = MultiGauge.builder("workflowexecution.consecutive.failures")
                .description("Consecutive executions that could not start, for the at most 100 targets with the most")
                .register(registry);
    }

    private Number oldestLockAgeMillis() {
        return heldLocks.get().stream()
                .min(Comparator.naturalOrder())
                .map(since ->
                        Math.max(0, Duration.between(since, clock.instant()).toMillis()))
                .orElse(0L);
    }

    /**
     * Returns all metrics of the registry (one scrape at a time, because series are replaced) in the text format of
     * Prometheus.
     */
    public synchronized String scrape() {
        failureGauge.register(failures.get(), true);
        return registry.scrape();
    }

    private List<Instant> readHeldLocks() {
        List<Instant> since = new ArrayList<>();
        forEach(EntryFilter.HELD, entry -> {
            if (entry instanceof Held held) {
                since.add(held.holder().since());
            }
        });
        return since;
    }

    private List<MultiGauge.Row<?>> readFailures() {
        Map<String, Integer> counts = new HashMap<>();
        forEach(EntryFilter.FAILING, entry -> {
            // The count of the target, or the highest count of a workflow: of failed starts, or of invalid requests.
            int count = Math.max(
                    entry.memory().consecutiveFailures(FailureScope.TARGET, ""),
                    entry.memory().workflows().values().stream()
                            .flatMap(memory -> Stream.of(memory.failureStreak(), memory.invalidRequests()))
                            .flatMap(Optional::stream)
                            .mapToInt(FailureStreak::failures)
                            .max()
                            .orElse(0));
            if (count > 0) {
                counts.put(entry.target().canonical(), count);
            }
        });
        return counts.entrySet().stream()
                .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
                .limit(MAX_SERIES)
                .<MultiGauge.Row<?>>map(
                        each -> MultiGauge.Row.of(Tags.of("target_resource", each.getKey()), each.getValue()))
                .toList();
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
