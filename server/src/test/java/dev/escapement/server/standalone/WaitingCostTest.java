package dev.escapement.server.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionSpec;
import dev.escapement.engine.execution.ExecutionSpec.ConflictSettings;
import dev.escapement.engine.execution.ExecutionSpec.OnConflict;
import dev.escapement.engine.port.StoreWrite;
import dev.escapement.engine.port.StoreWrite.EntryUpdate;
import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.ExecutionOutcome;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.Holder;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.storage.Database;
import dev.escapement.testkit.ConditionPoller;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server on which a thousand executions wait sends no more statements than an idle one. */
class WaitingCostTest {

    private static final int TARGETS = 10;
    private static final int WAITING_PER_TARGET = 100;

    /** Tasks that a server repeats after five seconds or more are not in each of the spans; a poll per second is. */
    private static final Duration SPAN = Duration.ofSeconds(2);

    private static final int SPANS = Boolean.getBoolean("escapement.nightly") ? 30 : 3;

    private static final String STATEMENTS = "escapement_store_statements_total ";

    private static void fill(Database database, Instant now) {
        for (int t = 0; t < TARGETS; t++) {
            Target target = Target.parse("node/cooling-" + t);
            Holder past = new Holder(new ExecutionRef("ops", "past-" + t, "past-" + t), "ok", "run", "run", now);
            LedgerEntry cooling =
                    LedgerEntry.initial(target).acquire(past).release(new ExecutionOutcome.Completed(), now);
            List<StoreWrite> writes = new ArrayList<>();
            writes.add(new EntryUpdate(database.store().readEntry(target), cooling, now));
            for (int i = 0; i < WAITING_PER_TARGET; i++) {
                String name = "w-%d-%d".formatted(t, i);
                ExecutionSpec spec = ExecutionSpec.of("ok", target.canonical(), Map.of())
                        .withConflict(
                                new ConflictSettings(Optional.of(OnConflict.Wait), Optional.of(Duration.ofHours(1))));
                writes.add(new StoreWrite.Creation(
                        Execution.pending(new ExecutionRef("ops", name, "uid-" + name), now, spec)));
            }
            assertThat(database.store().apply(writes)).isTrue();
        }
    }

    private static long statements(TestServer server) {
        return server.get("/metrics")
                .raw()
                .body()
                .lines()
                .filter(line -> line.startsWith(STATEMENTS))
                .map(line -> line.substring(STATEMENTS.length()))
                .mapToLong(value -> (long) Double.parseDouble(value))
                .sum();
    }

    private static boolean isWaiting(TestServer server, String name) {
        return server.get("/api/v1/executions/" + name + "?namespace=ops")
                .text("/status/pendingDetails/reason")
                .equals("Waiting");
    }

    @Test
    void waitingCostsNoStatements(@TempDir Path folder) throws IOException {
        Path data = Files.createDirectories(folder.resolve("data"));
        try (Database database = Database.openSqlite(data.resolve("escapement.db"))) {
            fill(database, Instant.now());
        }
        try (TestServer server = TestServer.start(folder, Map.of("policy.cooldown-period", "1h"));
                TestServer idle = TestServer.start(folder.resolve("idle"))) {
            for (int t = 0; t < TARGETS; t++) {
                for (int i = 0; i < WAITING_PER_TARGET; i += WAITING_PER_TARGET - 1) {
                    String name = "w-%d-%d".formatted(t, i);
                    ConditionPoller.await(name + " waits", () -> isWaiting(server, name));
                }
            }
            ConditionPoller.await("all are decided", () -> {
                long before = statements(server);
                return ConditionPoller.holdsFor(Duration.ofMillis(500), () -> statements(server) <= before + 5);
            });
            assertThat(statements(server)).isGreaterThan((long) TARGETS * WAITING_PER_TARGET);
            long leastCost = Long.MAX_VALUE;
            long leastIdleCost = Long.MAX_VALUE;
            for (int i = 0; i < SPANS; i++) {
                long before = statements(server);
                long idleBefore = statements(idle);
                ConditionPoller.holdsFor(SPAN, () -> true);
                leastCost = Math.min(leastCost, statements(server) - before);
                leastIdleCost = Math.min(leastIdleCost, statements(idle) - idleBefore);
            }
            System.out.printf(
                    "%d waiting executions: %d statements of the server in %s, of an idle one %d%n",
                    TARGETS * WAITING_PER_TARGET, leastCost, SPAN, leastIdleCost);
            assertThat(leastCost).isLessThanOrEqualTo(leastIdleCost);
            assertThat(isWaiting(server, "w-0-0")).isTrue();
        }
    }
}
