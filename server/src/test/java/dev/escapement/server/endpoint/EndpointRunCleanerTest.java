package dev.escapement.server.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.endpoints.store.EndpointStore;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class EndpointRunCleanerTest {

    private static final Instant NOW = Instant.parse("2026-11-16T12:00:00Z");

    private final List<Integer> batches = new ArrayList<>();
    private int expiredRuns;

    /** Implements only the clock and the removal of runs. */
    private EndpointStore store() {
        return (EndpointStore) Proxy.newProxyInstance(
                EndpointStore.class.getClassLoader(), new Class<?>[] {EndpointStore.class}, (proxy, method, given) -> {
                    if (method.getName().equals("clock")) {
                        return InstantSource.fixed(NOW);
                    }
                    assertThat(method.getName()).isEqualTo("prune");
                    assertThat(given[0]).isEqualTo(NOW.minus(Duration.ofDays(7)));
                    int removed = Math.min(expiredRuns, (int) given[1]);
                    expiredRuns -= removed;
                    batches.add(removed);
                    return removed;
                });
    }

    @Test
    void removesExpiredRunsInBatches() {
        expiredRuns = 1_200;
        EndpointScheduler.removeExpired(store(), Duration.ofDays(7));
        assertThat(batches).containsExactly(500, 500, 200);
    }

    @Test
    void queriesOnceWhenNothingIsExpired() {
        EndpointScheduler.removeExpired(store(), Duration.ofDays(7));
        assertThat(batches).containsExactly(0);
    }

    @Test
    void stopsAfterMaxBatches() {
        expiredRuns = 1_000_000;
        EndpointScheduler.removeExpired(store(), Duration.ofDays(7));
        assertThat(expiredRuns).isEqualTo(900_000);
    }
}
