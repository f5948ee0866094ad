package dev.escapement.endpoints.store;

import dev.escapement.endpoints.Endpoint;
import dev.escapement.endpoints.Remedy;
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

/** The port in memory, by a clock that a test moves. Deterministic; safe for many threads. */
public final class SimulatedEndpointStore implements EndpointStore {

    /** As in the databases: for so long one who was told of a due remediation has it for itself. */
    static final Duration LOOKED_AT = Duration.ofSeconds(30);

    private static final Comparator<SimulatedRow> BY_NAME = Comparator.comparing(
                    (SimulatedRow row) -> row.name().getBytes(StandardCharsets.UTF_8), Arrays::compareUnsigned)
            .thenComparing(row -> row.endpoint.id());
    private static final Comparator<SimulatedRow> LONGEST_DUE = Comparator.comparing(
                    (SimulatedRow row) -> row.claimableAt().orElse(Instant.MAX))
            .thenComparing(row -> row.endpoint.id());

    private final InstantSource clock;
    private final Map<String, SimulatedRow> rows = new TreeMap<>();
    private final SimulatedRuns runs;
    private final List<Runnable> subscribers = new CopyOnWriteArrayList<>();

    /** @param keepRuns of each endpoint at most so many */
    public SimulatedEndpointStore(InstantSource clock, int keepRuns) {
        this.clock = clock;
        this.runs = new SimulatedRuns(keepRuns);
    }

    @Override
    public InstantSource clock() {
        return clock;
    }

    private Stream<SimulatedRow> live() {
        return rows.values().stream().filter(row -> !row.isArchived());
    }

    private Stream<SimulatedRow> held(Collection<Claim> claims) {
        return claims.stream()
                .flatMap(claim ->
                        Stream.ofNullable(rows.get(claim.endpoint().id())).filter(row -> row.isHeldBy(claim)));
    }

    @Override
    public Optional<Stored> named(String name) {
        return Optional.ofNullable(named(Set.of(name)).get(name));
    }

    @Override
    public synchronized Optional<Stored> get(String id) {
        return Optional.ofNullable(rows.get(id)).map(row -> row.stored(clock.instant()));
    }

    @Override
    public synchronized Map<String, Stored> named(Collection<String> names) {
        Map<String, Stored> found = new HashMap<>();
        live().filter(row -> names.contains(row.name()))
                .forEach(row -> found.put(row.name(), row.stored(clock.instant())));
        return found;
    }

    @Override
    public boolean apply(List<Write> writes) {
        boolean made = applied(writes);
        if (made) {
            subscribers.forEach(Runnable::run);
        }
        return made;
    }

    @Override
    public boolean apply(Collection<String> names, Function<Map<String, Stored>, List<Write>> changes) {
        List<Write> writes;
        synchronized (this) {
            Map<String, Stored> seen = named(names);
            writes = changes.apply(Map.copyOf(seen));
            for (Write write : writes) {
                if (write instanceof Write.Change change && !seen.containsValue(change.seen())) {
                    throw new IllegalArgumentException(change.seen() + " was not read here");
                }
            }
            if (!applied(writes)) {
                return false;
            }
        }
        subscribers.stream().filter(any -> !writes.isEmpty()).forEach(Runnable::run);
        return true;
    }

    private synchronized boolean applied(List<Write> writes) {
        Map<String, Endpoint> next = new HashMap<>();
        rows.forEach((id, row) -> next.put(id, row.endpoint));
        for (Write write : writes) {
            if (write instanceof Write.Create create) {
                if (next.putIfAbsent(create.endpoint().id(), create.endpoint()) != null) {
                    return false;
                }
            } else if (write instanceof Write.Change change) {
                SimulatedRow row = rows.get(change.next().id());
                if (row == null || row.version != change.seen().version()) {
                    return false;
                }
                next.put(change.next().id(), change.next());
            }
        }
        List<String> names = next.values().stream()
                .filter(endpoint -> !endpoint.steering().archived())
                .map(endpoint -> endpoint.definition().name())
                .toList();
        if (Set.copyOf(names).size() < names.size()) {
            return false;
        }
        writes.forEach(this::make);
        return true;
    }

    private void make(Write write) {
        if (write instanceof Write.Create create) {
            rows.put(create.endpoint().id(), new SimulatedRow(create.endpoint()));
        } else if (write instanceof Write.Change change) {
            SimulatedRow row = Objects.requireNonNull(rows.get(change.next().id()));
            row.endpoint = change.next();
            row.version++;
            row.revision++;
        }
    }

    @Override
    public synchronized Optional<String> archive(String name) {
        return live().filter(row -> row.name().equals(name)).findAny().map(row -> {
            row.archive();
            return row.endpoint.id();
        });
    }

    @Override
    public synchronized Page<Stored> endpoints(EndpointFilter filter, String token, int limit) {
        Instant now = clock.instant();
        List<SimulatedRow> all = rows.values().stream()
                .filter(row -> row.is(filter, now))
                .sorted(BY_NAME)
                .toList();
        Page<SimulatedRow> page = SimulatedRuns.page(all, row -> row.endpoint.id(), token, limit);
        return new Page<>(page.items().stream().map(row -> row.stored(now)).toList(), page.nextToken());
    }

    @Override
    public synchronized Page<Run> runs(RunFilter filter, String token, int limit) {
        return runs.page(filter, token, limit);
    }

    @Override
    public synchronized Optional<Run> run(String endpoint, long number) {
        return runs.get(endpoint, number);
    }

    @Override
    public synchronized Backlog backlog() {
        Instant now = clock.instant();
        return new Backlog(
                live().count(),
                live().filter(row -> row.isClaimable(now)).count(),
                live().filter(row -> row.isRunning(now)).count());
    }

    @Override
    public synchronized List<Claim> claim(Demand demand) {
        Instant now = clock.instant();
        Map<String, Integer> busy = new HashMap<>(demand.busy());
        List<Claim> claims = new ArrayList<>();
        for (SimulatedRow row :
                live().filter(each -> each.isClaimable(now)).sorted(LONGEST_DUE).toList()) {
            if (claims.size() < demand.limit() && busy.getOrDefault(row.host(), 0) < demand.perHost()) {
                busy.merge(row.host(), 1, Integer::sum);
                row.worker = demand.worker();
                row.token = demand.token();
                row.since = now;
                row.until = now.plus(row.endpoint.definition().timeout()).plus(demand.margin());
                row.attempts++;
                row.version++;
                claims.add(new Claim(row.endpoint, row.revision, row.host(), row.lease()));
            }
        }
        return claims;
    }

    @Override
    public synchronized Set<String> due(Set<String> hosts) {
        Instant now = clock.instant();
        return live().filter(row -> row.isClaimable(now))
                .map(SimulatedRow::host)
                .filter(hosts::contains)
                .collect(Collectors.toSet());
    }

    @Override
    public synchronized Due nextDue(Set<String> exceptHosts) {
        return new Due(
                clock.instant(),
                live().filter(row -> !exceptHosts.contains(row.host()))
                        .flatMap(row -> row.claimableAt().stream())
                        .min(Comparator.naturalOrder()));
    }

    @Override
    public synchronized List<Verdict> record(List<Result> results) {
        return results.stream().map(this::recordOne).toList();
    }

    private Verdict recordOne(Result result) {
        SimulatedRow row = rows.get(result.claim().endpoint().id());
        if (row == null || !row.isHeldBy(result.claim())) {
            // Told twice, because whoever tells it did not hear the answer.
            boolean known = runs.get(result.run().endpoint(), result.run().number())
                    .filter(run -> run.attempt() == result.run().attempt())
                    .isPresent();
            return known ? Verdict.RECORDED : Verdict.LOST;
        } else if (row.revision != result.claim().revision()) {
            return Verdict.CHANGED;
        }
        row.record(result);
        runs.add(result.run());
        return Verdict.RECORDED;
    }

    @Override
    public synchronized Map<String, Instant> renew(Collection<Claim> claims, Duration margin) {
        Map<String, Instant> ends = new LinkedHashMap<>();
        held(claims).forEach(row -> {
            Instant end =
                    clock.instant().plus(row.endpoint.definition().timeout()).plus(margin);
            row.until = end.isAfter(row.until) ? end : row.until;
            ends.put(row.endpoint.id(), row.until);
        });
        return ends;
    }

    @Override
    public void release(Collection<Claim> claims) {
        synchronized (this) {
            held(claims).forEach(row -> {
                row.free();
                row.version++;
            });
        }
        subscribers.forEach(Runnable::run);
    }

    @Override
    public synchronized List<Stored> remediesDue(int limit) {
        Instant now = clock.instant();
        List<SimulatedRow> due = live().filter(
                        row -> row.remedyDue > 0 && !row.remedySeen.isAfter(now.minus(LOOKED_AT)))
                .limit(limit)
                .toList();
        due.forEach(row -> row.remedySeen = now);
        return due.stream().map(row -> row.stored(now)).toList();
    }

    @Override
    public synchronized void settle(String endpoint, Remedy remedy) {
        Optional.ofNullable(rows.get(endpoint)).ifPresent(row -> row.settle(remedy));
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
