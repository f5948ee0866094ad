package dev.escapement.server.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionSpec;
import dev.escapement.engine.port.StoreWrite;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.server.WorkItem;
import dev.escapement.storage.Database;
import dev.escapement.storage.ServerRegistry.LeaseRenewal;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExecutionTakeoverTest {

    private static final Duration TERM = Duration.ofMinutes(10);

    private final List<WorkItem> queued = new ArrayList<>();

    private static void create(Database database, String name) {
        Execution execution = Execution.pending(
                new ExecutionRef("default", name, "uid-" + name),
                Instant.EPOCH,
                ExecutionSpec.of("w", "node/" + name, Map.of()));
        assertThat(database.store().apply(List.of(new StoreWrite.Creation(execution))))
                .isTrue();
    }

    private List<String> queuedNames() {
        return queued.stream().map(item -> item.execution().name()).toList();
    }

    @Test
    void takesOverOnlyWhileHoldingLease(@TempDir Path folder) {
        try (Database database = Database.openSqlite(folder.resolve("escapement.db"))) {
            database.serverRegistry().register("gone", "first", TERM);
            create(database, "of-gone");
            database.serverRegistry().releaseLease();
            database.serverRegistry().register("own", "second", TERM);
            create(database, "of-own");
            ServerLease lease = new ServerLease(
                    false, TERM, () -> new LeaseRenewal(TERM, Instant.EPOCH), () -> Instant.EPOCH, () -> 0, loss -> {});
            ExecutionTakeover takeover = new ExecutionTakeover(
                    database.serverRegistry(), lease, new ActiveRuns(), waiting -> false, queued::add, run -> {});

            takeover.takeOverExpiredServers();
            assertThat(queued).isEmpty();
            assertThat(takeover.unfinishedUids()).containsExactly("uid-of-own");

            lease.renew();
            takeover.takeOverExpiredServers();
            takeover.takeOverExpiredServers();
            assertThat(queuedNames()).containsExactly("of-gone");

            queued.clear();
            assertThat(takeover.enqueueUnfinished()).isEqualTo(2);
            assertThat(queuedNames()).containsExactlyInAnyOrder("of-gone", "of-own");
        }
    }
}
