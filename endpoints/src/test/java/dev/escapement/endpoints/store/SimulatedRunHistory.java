package dev.escapement.endpoints.store;

import dev.escapement.endpoints.model.FinishedRun;
import dev.escapement.endpoints.store.EndpointStore.RunFilter;
import dev.escapement.engine.port.ExecutionQueries.Page;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/** The history of the simulated store. */
final class SimulatedRunHistory {

    private record Key(String endpoint, long number) implements Comparable<Key> {
        @Override
        public int compareTo(Key other) {
            return Comparator.comparing(Key::endpoint)
                    .thenComparing(Key::number)
                    .compare(this, other);
        }
    }

    private static final Comparator<FinishedRun> OLDEST_FIRST = Comparator.comparing(FinishedRun::endedAt)
            .thenComparing(FinishedRun::endpointId)
            .thenComparing(FinishedRun::number);

    private final TreeMap<Key, FinishedRun> runs = new TreeMap<>();
    private final int maxRunsPerEndpoint;

    SimulatedRunHistory(int keep) {
        this.maxRunsPerEndpoint = keep;
    }

    void add(FinishedRun run) {
        runs.put(new Key(run.endpointId(), run.number()), run);
        if (run.number() > maxRunsPerEndpoint) {
            runs.subMap(
                            new Key(run.endpointId(), 0),
                            true,
                            new Key(run.endpointId(), run.number() - maxRunsPerEndpoint),
                            true)
                    .clear();
        }
    }

    Optional<FinishedRun> get(String endpoint, long number) {
        return Optional.ofNullable(runs.get(new Key(endpoint, number)));
    }

    Page<FinishedRun> page(RunFilter filter, String token, int limit) {
        List<FinishedRun> all = runs.values().stream()
                .filter(run -> filter.endpointId().map(run.endpointId()::equals).orElse(true))
                .filter(run -> filter.failed()
                        .map(failed -> failed != run.callResult().isSuccess())
                        .orElse(true))
                .sorted(OLDEST_FIRST.reversed())
                .toList();
        return page(all, FinishedRun::id, token, limit);
    }

    int prune(Instant before, int limit) {
        List<FinishedRun> old = runs.values().stream()
                .filter(run -> run.endedAt().isBefore(before))
                .sorted(OLDEST_FIRST)
                .limit(limit)
                .toList();
        old.forEach(run -> runs.remove(new Key(run.endpointId(), run.number())));
        return old.size();
    }

    /** Returns the page that starts after the item with the token's key. */
    static <T> Page<T> page(List<T> all, java.util.function.Function<T, String> key, String token, int limit) {
        int from = 0;
        if (!token.isEmpty()) {
            from = all.stream().map(key).toList().indexOf(token) + 1;
            if (from == 0) {
                throw new IllegalArgumentException("this is no continuation token: " + token);
            }
        }
        int to = Math.min(all.size(), from + limit);
        return new Page<>(
                all.subList(from, to), to < all.size() ? Optional.of(key.apply(all.get(to - 1))) : Optional.empty());
    }
}
