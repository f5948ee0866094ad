package dev.escapement.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.storage.jdbc.StatementCounters.Counts;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ServerMetricsTest {

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final ServerMetrics metrics = new ServerMetrics(registry);

    @Test
    void storeCountersSurviveGarbageCollection() {
        AtomicLong statements = new AtomicLong(1);
        AtomicLong transactions = new AtomicLong(1);
        metrics.registerStore(() -> new Counts(statements.get(), transactions.get()));
        assertThat(registry.get("escapement.store.statements").functionCounter().count())
                .isEqualTo(1);
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        statements.set(7);
        transactions.set(3);
        assertThat(registry.get("escapement.store.statements").functionCounter().count())
                .isEqualTo(7);
        assertThat(registry.get("escapement.store.transactions")
                        .functionCounter()
                        .count())
                .isEqualTo(3);
    }
}
