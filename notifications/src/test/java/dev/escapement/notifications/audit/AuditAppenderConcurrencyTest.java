package dev.escapement.notifications.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.contract.ExecutionSamples;
import dev.escapement.engine.port.StoreWrite;
import dev.escapement.notifications.audit.AuditAppender.Result;
import dev.escapement.storage.Database;
import dev.escapement.storage.PostgresTestDatabase;
import dev.escapement.storage.TestDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Several servers on one database copy the journal at once: one chain, every record once. */
class AuditAppenderConcurrencyTest {

    private static final int SERVERS = 3;
    private static final int EXECUTIONS = 300;

    @Test
    void severalServersWriteOneChain() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(SERVERS + 1);
        try (TestDatabase postgres = PostgresTestDatabase.create()) {
            Database writer = postgres.open();
            AtomicBoolean written = new AtomicBoolean();
            List<Callable<Boolean>> servers = new ArrayList<>();
            for (int i = 0; i < SERVERS; i++) {
                AuditAppender appender = new AuditAppender(postgres.open());
                servers.add(() -> {
                    boolean last = false;
                    while (!last) {
                        last = written.get();
                        while (appender.appendNext() != Result.COMPLETE) {
                            Thread.onSpinWait();
                        }
                    }
                    return true;
                });
            }
            List<Future<Boolean>> running =
                    servers.stream().map(threads::submit).toList();
            for (int number = 1; number <= EXECUTIONS; number++) {
                writer.store()
                        .apply(List.of(new StoreWrite.Creation(
                                ExecutionSamples.execution("ops", number, "repair", "node/n-" + number))));
            }
            written.set(true);
            for (Future<Boolean> each : running) {
                assertThat(each.get()).isTrue();
            }
            AuditTrail trail = new AuditTrail(writer.backend());
            assertThat(trail.read(0, EXECUTIONS * 2))
                    .hasSize(EXECUTIONS)
                    .extracting(entry -> entry.record().id())
                    .doesNotHaveDuplicates();
            assertThat(new TrailVerifier(trail, new CheckpointStore(writer.backend()))
                            .verifyAll()
                            .problems())
                    .isEmpty();
        } finally {
            threads.shutdownNow();
        }
    }
}
