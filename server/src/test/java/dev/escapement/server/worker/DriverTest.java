package dev.escapement.server.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.Engine;
import dev.escapement.engine.Requeue;
import dev.escapement.engine.contract.ExecutionSamples;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionStatus;
import dev.escapement.engine.port.StoreWrite;
import dev.escapement.engine.port.Versioned;
import dev.escapement.engine.port.WorkflowRunner;
import dev.escapement.governor.Policy;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.server.NoRunner;
import dev.escapement.server.OneRun;
import dev.escapement.storage.Database;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server without its lease starts nothing, and nobody pays for it. */
class DriverTest {

    private static final Execution ASKED = ExecutionSamples.execution(1);

    private final AtomicBoolean mayStart = new AtomicBoolean();
    private final Database database;

    DriverTest(@TempDir Path folder) {
        database = Database.openSqlite(folder.resolve("driver.db"));
        assertThat(database.store().apply(List.of(new StoreWrite.Creation(ASKED))))
                .isTrue();
    }

    @AfterEach
    void close() {
        database.close();
    }

    private Requeue look(WorkflowRunner runner) {
        Engine engine = new Engine(database.store(), runner, () -> Policy.DEFAULT);
        Driver driver = new Driver(
                database.store(),
                engine,
                () -> ExecutionSamples.NOW,
                mayStart::get,
                seen -> {},
                () -> {},
                forgotten -> {});
        return driver.apply(Work.on(ASKED.ref()));
    }

    private Versioned<Execution> execution() {
        return ExecutionSamples.readExecution(database.store(), ASKED);
    }

    @Test
    void withoutTheLeaseItWaitsAndThatCostsNothing() {
        Versioned<Execution> before = execution();
        for (int i = 0; i < 20; i++) {
            // It fails if it is asked for anything.
            assertThat(look(new NoRunner())).isEqualTo(Requeue.IMMEDIATELY);
        }
        assertThat(execution()).isEqualTo(before);
        assertThat(database.store().readEntry(ExecutionSamples.NODE))
                .isEqualTo(new Versioned<>(LedgerEntry.initial(ExecutionSamples.NODE), Versioned.ABSENT));
    }

    @Test
    void onceTheLeaseIsHeldItGoesOn() {
        assertThat(look(new NoRunner())).isEqualTo(Requeue.IMMEDIATELY);
        mayStart.set(true);
        WorkflowRunner runner = new OneRun();
        for (int i = 0; i < 10 && execution().value().status() instanceof ExecutionStatus.Pending; i++) {
            look(runner);
        }
        assertThat(execution().value().status()).isInstanceOf(ExecutionStatus.Running.class);
    }

    @Test
    void withoutTheLeaseWhatIsCancelledDoesNotWait() {
        assertThat(database.store()
                        .apply(List.of(new StoreWrite.Cancellation(execution(), "ann", ExecutionSamples.NOW))))
                .isTrue();
        look(new NoRunner());
        assertThat(execution().value().status()).isInstanceOf(ExecutionStatus.Final.class);
    }

    @Test
    void withoutTheLeaseWhatRunsIsLookedAfter() {
        mayStart.set(true);
        OneRun runner = new OneRun();
        look(runner);
        mayStart.set(false);
        runner.succeed();
        for (int i = 0; i < 10 && !(execution().value().status() instanceof ExecutionStatus.Final); i++) {
            look(runner);
        }
        assertThat(execution().value().status()).isInstanceOf(ExecutionStatus.Completed.class);
    }
}
