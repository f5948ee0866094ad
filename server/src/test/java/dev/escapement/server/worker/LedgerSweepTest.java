package dev.escapement.server.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.contract.Samples;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.port.Directory.EntryFilter;
import dev.escapement.engine.port.Versioned;
import dev.escapement.engine.port.Write;
import dev.escapement.governor.Policy;
import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.ledger.LedgerEntry.Held;
import dev.escapement.governor.ledger.Outcome;
import dev.escapement.server.SweepParts;
import dev.escapement.storage.Database;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The ledger is as large as what is active, cooling down or failing. */
class LedgerSweepTest {

    private final Database database;
    private Instant now = Samples.NOW;
    private final LedgerSweep sweep;

    LedgerSweepTest(@TempDir Path folder) {
        database = Database.sqlite(folder.resolve("sweep.db"));
        sweep = SweepParts.over(database, () -> now);
    }

    @AfterEach
    void close() {
        database.close();
    }

    private void remember(int number, Outcome outcome) {
        Execution execution = Samples.execution("default", number, "wf", "node/n-" + number);
        Target target = Target.parse("node/n-" + number);
        Versioned<LedgerEntry> entry = database.store().entry(target);
        Held held = Samples.held(LedgerEntry.fresh(target), execution);
        assertThat(database.store().apply(List.of(new Write.Entry(entry, held, now))))
                .isTrue();
        Versioned<LedgerEntry> taken = database.store().entry(target);
        assertThat(database.store().apply(List.of(new Write.Entry(taken, held.release(outcome, now), now))))
                .isTrue();
    }

    private int entries() {
        return database.directory().entries(EntryFilter.ALL, "", 500).items().size();
    }

    @Test
    void whatHasCooledDownGoesAndWhatFailedStays() {
        for (int i = 0; i < 450; i++) {
            remember(i, new Outcome.Completed());
        }
        remember(1_000, new Outcome.FailedDuringExecution("TaskFailed"));
        sweep.removeIdle();
        assertThat(entries()).isEqualTo(451);
        now = now.plus(Policy.DEFAULT.cooldown()).plus(Duration.ofSeconds(1));
        remember(2_000, new Outcome.Completed());
        sweep.removeIdle();
        assertThat(entries()).isEqualTo(2);
    }
}
