package dev.escapement.server.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.engine.contract.ExecutionSamples;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.port.ExecutionQueries.EntryFilter;
import dev.escapement.engine.port.ExecutionStore;
import dev.escapement.engine.port.StoreWrite;
import dev.escapement.engine.port.Versioned;
import dev.escapement.governor.Policy;
import dev.escapement.governor.Target;
import dev.escapement.governor.gate.GateRequest;
import dev.escapement.governor.ledger.ExecutionOutcome;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.ledger.LedgerEntry.Held;
import dev.escapement.storage.Database;
import dev.escapement.storage.problem.StorageException.StorageUnavailableException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The ledger contains only targets that are held, cooling down or failing. */
class LedgerCleanerTest {

    private final Database database;
    private Instant now = ExecutionSamples.NOW;
    private final LedgerCleaner cleaner;

    LedgerCleanerTest(@TempDir Path folder) {
        database = Database.openSqlite(folder.resolve("sweep.db"));
        cleaner = LedgerCleanerFactory.create(database, () -> now);
    }

    @AfterEach
    void close() {
        database.close();
    }

    private void recordOutcome(int number, ExecutionOutcome outcome) {
        Execution execution = ExecutionSamples.execution("default", number, "wf", "node/n-" + number);
        Target target = Target.parse("node/n-" + number);
        Versioned<LedgerEntry> entry = database.store().readEntry(target);
        Held held = ExecutionSamples.heldEntry(LedgerEntry.initial(target), execution);
        assertThat(database.store().apply(List.of(new StoreWrite.EntryUpdate(entry, held, now))))
                .isTrue();
        Versioned<LedgerEntry> taken = database.store().readEntry(target);
        assertThat(database.store().apply(List.of(new StoreWrite.EntryUpdate(taken, held.release(outcome, now), now))))
                .isTrue();
    }

    private int countEntries() {
        return database.queries().listEntries(EntryFilter.ALL, "", 500).items().size();
    }

    @Test
    void removesCooledDownEntriesAndKeepsFailures() {
        for (int i = 0; i < 450; i++) {
            recordOutcome(i, new ExecutionOutcome.Completed());
        }
        recordOutcome(1_000, new ExecutionOutcome.FailedDuringExecution("TaskFailed"));
        cleaner.removeIdle();
        assertThat(countEntries()).isEqualTo(451);
        now = now.plus(Policy.DEFAULT.cooldown()).plus(Duration.ofSeconds(1));
        recordOutcome(2_000, new ExecutionOutcome.Completed());
        cleaner.removeIdle();
        assertThat(countEntries()).isEqualTo(2);
    }

    private Target createOrphan(int number) {
        Execution gone = ExecutionSamples.execution("default", number, "wf", "node/n-" + number);
        Target target = Target.parse("node/n-" + number);
        Versioned<LedgerEntry> entry = database.store().readEntry(target);
        assertThat(database.store()
                        .apply(List.of(new StoreWrite.EntryUpdate(entry, ExecutionSamples.heldEntry(gone), now))))
                .isTrue();
        return target;
    }

    private boolean isHeld(Target target) {
        return database.store().readEntry(target).value() instanceof Held;
    }

    @Test
    void releasesOtherOrphansWhenOneFailsAndReportsIt() {
        Target before = createOrphan(1);
        Target bad = createOrphan(2);
        Target after = createOrphan(3);
        LedgerCleaner hindered = LedgerCleanerFactory.create(database, storeFailingFor(bad), () -> now);
        assertThatThrownBy(hindered::releaseOrphans)
                .hasMessageContaining("lock of target node/n-2 cannot be released")
                .hasRootCauseMessage("the entry is locked");
        assertThat(isHeld(before)).isFalse();
        assertThat(isHeld(bad)).isTrue();
        assertThat(isHeld(after)).isFalse();
        cleaner.releaseOrphans();
        assertThat(isHeld(bad)).isFalse();
    }

    /** A store in which one entry cannot be read. */
    private ExecutionStore storeFailingFor(Target bad) {
        ExecutionStore store = database.store();
        return new ExecutionStore() {
            @Override
            public Optional<Versioned<Execution>> readExecution(ExecutionRef ref) {
                return store.readExecution(ref);
            }

            @Override
            public Versioned<LedgerEntry> readEntry(Target target) {
                if (target.equals(bad)) {
                    throw new StorageUnavailableException("cannot read", new SQLException("the entry is locked"));
                }
                return store.readEntry(target);
            }

            @Override
            public Versioned<LedgerEntry> readCurrentEntry(Target target) {
                return readEntry(target);
            }

            @Override
            public List<GateRequest> readWaiting(Target target) {
                return store.readWaiting(target);
            }

            @Override
            public boolean apply(List<StoreWrite> writes) {
                return store.apply(writes);
            }
        };
    }
}
