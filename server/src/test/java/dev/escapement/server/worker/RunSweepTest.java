package dev.escapement.server.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.endpoints.store.EndpointStore;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RunSweepTest {

    private static final Instant NOW = Instant.parse("2026-11-16T12:00:00Z");

    private final List<Integer> parts = new ArrayList<>();
    private int old;

    /** Knows the time and removes; nothing else may be asked of it. */
    private EndpointStore store() {
        return (EndpointStore) Proxy.newProxyInstance(
                EndpointStore.class.getClassLoader(), new Class<?>[] {EndpointStore.class}, (proxy, method, given) -> {
                    if (method.getName().equals("clock")) {
                        return InstantSource.fixed(NOW);
                    }
                    assertThat(method.getName()).isEqualTo("prune");
                    assertThat(given[0]).isEqualTo(NOW.minus(Duration.ofDays(7)));
                    int removed = Math.min(old, (int) given[1]);
                    old -= removed;
                    parts.add(removed);
                    return removed;
                });
    }

    @Test
    void oldRunsAreRemovedInPartsUntilThereAreNone() {
        old = 1_200;
        new RunSweep(store(), Duration.ofDays(7)).remove();
        assertThat(parts).containsExactly(500, 500, 200);
    }

    @Test
    void whenThereIsNothingItAsksOnce() {
        new RunSweep(store(), Duration.ofDays(7)).remove();
        assertThat(parts).containsExactly(0);
    }

    @Test
    void ofVeryManyAPartIsLeftToTheNextTime() {
        old = 1_000_000;
        new RunSweep(store(), Duration.ofDays(7)).remove();
        assertThat(old).isEqualTo(900_000);
    }
}
