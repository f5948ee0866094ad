package dev.escapement.endpoints.store;

import dev.escapement.endpoints.model.FinishedRun;
import dev.escapement.endpoints.model.RemediationAttempt;
import dev.escapement.endpoints.model.ScheduledEndpoint;
import dev.escapement.endpoints.model.StoredEndpoint;
import dev.escapement.endpoints.store.EndpointStore.ClaimRequest;
import dev.escapement.endpoints.store.EndpointStore.EndpointBacklog;
import dev.escapement.endpoints.store.EndpointStore.EndpointChange;
import dev.escapement.endpoints.store.EndpointStore.NextDue;
import dev.escapement.endpoints.store.EndpointStore.RecordOutcome;
import dev.escapement.endpoints.store.EndpointStore.RunResult;
import dev.escapement.engine.port.ExecutionQueries.Page;
import dev.escapement.engine.port.Journal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** An in-memory {@link EndpointStore} with a virtual clock. Deterministic and thread-safe. */
public final class SimulatedEndpointStore implements EndpointStore {

    /** How long a due remediation is reserved for the caller that claimed it, as in the databases. */
    static final Duration REMEDIATION_CLAIM_DURATION = Duration.ofSeconds(30);

    private static final Comparator<SimulatedEndpointRow> BY_NAME = Comparator.comparing(
                    (SimulatedEndpointRow row) -> row.name().getBytes(StandardCharsets.UTF_8), Arrays::compareUnsigned)
            .thenComparing(row -> row.endpoint.id());
    private static final Comparator<SimulatedEndpointRow> BY_DUE_TIME = Comparator.comparing(
                    (SimulatedEndpointRow row) -> row.claimableAt().orElse(Instant.MAX))
            .thenComparing(row -> row.endpoint.id());

    private final InstantSource clock;
    private final Map<String, SimulatedEndpointRow> rows = new TreeMap<>();
    private final SimulatedRunHistory runs;
    private final List<Runnable> subscribers = new CopyOnWriteArrayList<>();
    private int clockSetBackCount;

    public SimulatedEndpointStore(InstantSource clock, int keepRuns) {
        this.clock = clock;
        this.runs = new SimulatedRunHistory(keepRuns);
    }

    @Override
    public InstantSource clock() {
        return clock;
    }

    /** Makes the store find its clock set back, as a database does with its next answer. */
    public void reportClockSetBack() {
        clockSetBackCount++;
    }

    @Override
    public int clockSetBackCount() {
        return clockSetBackCount;
    }

    private Stream<SimulatedEndpointRow> activeRows() {
        return rows.values().stream().filter(row -> !row.isArchived());
    }

    private Stream<SimulatedEndpointRow> rowsHeldBy(Collection<EndpointClaim> claims) {
        return claims.stream()
                .flatMap(claim ->
                        Stream.ofNullable(rows.get(claim.endpoint().id())).filter(row -> row.isHeldBy(claim)));
    }

    @Override
    public Optional<StoredEndpoint> findByName(String name) {
        return Optional.ofNullable(findByName(Set.of(name)).get(name));
    }

    @Override
    public synchronized Optional<StoredEndpoint> get(String id) {
        return Optional.ofNullable(rows.get(id)).map(row -> row.toStored(clock.instant()));
    }

    @Override
    public synchronized Map<String, StoredEndpoint> findByName(Collection<String> names) {
        Map<String, StoredEndpoint> found = new HashMap<>();
        activeRows()
                .filter(row -> names.contains(row.name()))
                .forEach(row -> found.put(row.name(), row.toStored(clock.instant())));
        return found;
    }

    @Override
    public boolean apply(List<EndpointChange> writes) {
        boolean made = applyAll(writes);
        if (made) {
            subscribers.forEach(Runnable::run);
        }
        return made;
    }

    @Override
    public boolean apply(
            Collection<String> names, Function<Map<String, StoredEndpoint>, List<EndpointChange>> changes) {
        List<EndpointChange> writes;
        synchronized (this) {
            Map<String, StoredEndpoint> seen = findByName(names);
            writes = changes.apply(Map.copyOf(seen));
            for (EndpointChange write : writes) {
                if (write instanceof EndpointChange.Update change && !seen.containsValue(change.current())) {
                    throw new IllegalArgumentException(change.current() + " was not read in this transaction");
                }
            }
            if (!applyAll(writes)) {
                return false;
            }
        }
        subscribers.stream().filter(any -> !writes.isEmpty()).forEach(Runnable::run);
        return true;
    }

    private synchronized boolean applyAll(List<EndpointChange> writes) {
        Map<String, ScheduledEndpoint> next = new HashMap<>();
        rows.forEach((id, row) -> next.put(id, row.endpoint));
        for (EndpointChange write : writes) {
            if (write instanceof EndpointChange.Create create) {
                if (next.putIfAbsent(create.endpoint().id(), create.endpoint()) != null) {
                    return false;
                }
            } else if (write instanceof EndpointChange.Update change) {
                SimulatedEndpointRow row = rows.get(change.endpoint().id());
                if (row == null || row.version != change.current().version()) {
                    return false;
                }
                next.put(change.endpoint().id(), change.endpoint());
            }
        }
        List<String> names = next.values().stream()
                .filter(endpoint -> !endpoint.overrides().archived())
                .map(endpoint -> endpoint.definition().name())
                .toList();
        if (Set.copyOf(names).size() < names.size()) {
            return false;
        }
        writes.forEach(this::applyOne);
        return true;
    }

    private void applyOne(EndpointChange write) {
        if (write instanceof EndpointChange.Create create) {
            rows.put(create.endpoint().id(), new SimulatedEndpointRow(create.endpoint()));
        } else if (write instanceof EndpointChange.Update change) {
            SimulatedEndpointRow row =
                    Objects.requireNonNull(rows.get(change.endpoint().id()));
            row.endpoint = change.endpoint();
            row.version++;
            row.revision++;
        }
    }

    @Override
    public synchronized Optional<String> archive(String name) {
        return activeRows().filter(row -> row.name().equals(name)).findAny().map(row -> {
            row.archive();
            return row.endpoint.id();
        });
    }

    @Override
    public synchronized Page<StoredEndpoint> listEndpoints(EndpointFilter filter, String token, int limit) {
        Instant now = clock.instant();
        List<SimulatedEndpointRow> all = rows.values().stream()
                .filter(row -> row.matches(filter, now))
                .sorted(BY_NAME)
                .toList();
        Page<SimulatedEndpointRow> page = SimulatedRunHistory.page(all, row -> row.endpoint.id(), token, limit);
        return new Page<>(page.items().stream().map(row -> row.toStored(now)).toList(), page.nextToken());
    }

    @Override
    public synchronized Page<FinishedRun> listRuns(RunFilter filter, String token, int limit) {
        return runs.page(filter, token, limit);
    }

    @Override
    public synchronized Optional<FinishedRun> getRun(String endpoint, long number) {
        return runs.get(endpoint, number);
    }

    @Override
    public synchronized EndpointBacklog backlog() {
        Instant now = clock.instant();
        return new EndpointBacklog(
                activeRows().count(),
                activeRows().filter(row -> row.isClaimable(now)).count(),
                activeRows().filter(row -> row.isRunning(now)).count());
    }

    @Override
    public synchronized List<EndpointClaim> claim(ClaimRequest demand) {
        Instant now = clock.instant();
        Map<String, Integer> busy = new HashMap<>(demand.callsByHost());
        List<EndpointClaim> claims = new ArrayList<>();
        for (SimulatedEndpointRow row : activeRows()
                .filter(each -> each.isClaimable(now))
                .sorted(BY_DUE_TIME)
                .toList()) {
            if (claims.size() < demand.limit() && busy.getOrDefault(row.host(), 0) < demand.concurrencyPerHost()) {
                busy.merge(row.host(), 1, Integer::sum);
                row.leaseWorker = demand.workerName();
                row.leaseToken = demand.leaseToken();
                row.leaseClaimedAt = now;
                row.leaseExpiresAt =
                        now.plus(row.endpoint.definition().call().timeout()).plus(demand.leaseMargin());
                row.attempts++;
                row.version++;
                claims.add(new EndpointClaim(row.endpoint, row.revision, row.host(), row.toLease()));
            }
        }
        return claims;
    }

    @Override
    public synchronized Set<String> dueHosts(Set<String> hosts) {
        Instant now = clock.instant();
        return activeRows()
                .filter(row -> row.isClaimable(now))
                .map(SimulatedEndpointRow::host)
                .filter(hosts::contains)
                .collect(Collectors.toSet());
    }

    @Override
    public synchronized NextDue nextDue(Set<String> exceptHosts) {
        return new NextDue(
                clock.instant(),
                activeRows()
                        .filter(row -> !exceptHosts.contains(row.host()))
                        .flatMap(row -> row.claimableAt().stream())
                        .min(Comparator.naturalOrder()));
    }

    @Override
    public synchronized List<RecordOutcome> record(List<RunResult> results) {
        return results.stream().map(this::recordOne).toList();
    }

    private RecordOutcome recordOne(RunResult result) {
        SimulatedEndpointRow row = rows.get(result.claim().endpoint().id());
        if (row == null || !row.isHeldBy(result.claim())) {
            // Recorded earlier; the response was lost.
            boolean known = runs.get(result.run().endpointId(), result.run().number())
                    .filter(run -> run.attempt() == result.run().attempt())
                    .isPresent();
            return known ? RecordOutcome.RECORDED : RecordOutcome.LEASE_LOST;
        } else if (row.revision != result.claim().revision()) {
            return RecordOutcome.ENDPOINT_CHANGED;
        }
        row.record(result);
        runs.add(result.run());
        return RecordOutcome.RECORDED;
    }

    @Override
    public synchronized Map<String, Instant> renew(Collection<EndpointClaim> claims, Duration margin) {
        Map<String, Instant> ends = new LinkedHashMap<>();
        rowsHeldBy(claims).forEach(row -> {
            Instant end = clock.instant()
                    .plus(row.endpoint.definition().call().timeout())
                    .plus(margin);
            row.leaseExpiresAt = end.isAfter(row.leaseExpiresAt) ? end : row.leaseExpiresAt;
            ends.put(row.endpoint.id(), row.leaseExpiresAt);
        });
        return ends;
    }

    @Override
    public void release(Collection<EndpointClaim> claims) {
        synchronized (this) {
            rowsHeldBy(claims).forEach(row -> {
                row.releaseLease();
                row.version++;
            });
        }
        subscribers.forEach(Runnable::run);
    }

    @Override
    public synchronized List<StoredEndpoint> claimDueRemediations(int limit) {
        Instant now = clock.instant();
        List<SimulatedEndpointRow> due = activeRows()
                .filter(row -> row.remediationDueRun > 0
                        && !row.remediationClaimedAt.isAfter(now.minus(REMEDIATION_CLAIM_DURATION)))
                .limit(limit)
                .toList();
        due.forEach(row -> row.remediationClaimedAt = now);
        return due.stream().map(row -> row.toStored(now)).toList();
    }

    @Override
    public synchronized void recordRemediation(String endpoint, RemediationAttempt remedy) {
        Optional.ofNullable(rows.get(endpoint)).ifPresent(row -> row.recordRemediation(remedy));
    }

    @Override
    public synchronized int prune(Instant before, int limit) {
        return runs.prune(before, limit);
    }

    @Override
    public Journal.Subscription onChange(Runnable callback) {
        subscribers.add(callback);
        return () -> subscribers.remove(callback);
    }
}
