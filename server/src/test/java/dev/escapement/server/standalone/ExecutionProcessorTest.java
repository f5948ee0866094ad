package dev.escapement.server.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.Engine;
import dev.escapement.engine.Requeue;
import dev.escapement.engine.WaitingIndex;
import dev.escapement.engine.contract.ExecutionSamples;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionStatus;
import dev.escapement.engine.port.StoreWrite;
import dev.escapement.engine.port.Versioned;
import dev.escapement.engine.port.WorkflowRunner;
import dev.escapement.governor.Policy;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.server.WorkItem;
import dev.escapement.storage.Database;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server without its lease starts no execution, and counts no attempt. */
class ExecutionProcessorTest {

    private static final Execution EXECUTION = ExecutionSamples.execution(1);

    private final AtomicBoolean mayStart = new AtomicBoolean();
    private final Database database;

    ExecutionProcessorTest(@TempDir Path folder) {
        database = Database.openSqlite(folder.resolve("driver.db"));
        assertThat(database.store().apply(List.of(new StoreWrite.Creation(EXECUTION))))
                .isTrue();
    }

    @AfterEach
    void close() {
        database.close();
    }

    private Requeue process(WorkflowRunner runner) {
        Engine engine = new Engine(database.store(), runner, () -> Policy.DEFAULT);
        ExecutionProcessor driver = new ExecutionProcessor(
                database.store(),
                engine,
                () -> ExecutionSamples.NOW,
                mayStart::get,
                new ActiveRuns(),
                new WaitingExecutions(new WaitingIndex(), item -> {}),
                () -> {},
                forgotten -> {});
        return driver.apply(WorkItem.of(EXECUTION.ref()));
    }

    private Versioned<Execution> execution() {
        return ExecutionSamples.readExecution(database.store(), EXECUTION);
    }

    @Test
    void pendingExecutionWaitsWithoutLeaseAndLosesNoAttempt() {
        Versioned<Execution> before = execution();
        for (int i = 0; i < 20; i++) {
            // Every call of this runner fails.
            assertThat(process(new UnusedRunner())).isEqualTo(Requeue.IMMEDIATELY);
        }
        assertThat(execution()).isEqualTo(before);
        assertThat(database.store().readEntry(ExecutionSamples.NODE))
                .isEqualTo(new Versioned<>(LedgerEntry.initial(ExecutionSamples.NODE), Versioned.ABSENT));
    }

    @Test
    void startsPendingExecutionOnceLeaseIsHeld() {
        assertThat(process(new UnusedRunner())).isEqualTo(Requeue.IMMEDIATELY);
        mayStart.set(true);
        WorkflowRunner runner = new ControlledRunner();
        for (int i = 0; i < 10 && execution().value().status() instanceof ExecutionStatus.Pending; i++) {
            process(runner);
        }
        assertThat(execution().value().status()).isInstanceOf(ExecutionStatus.Running.class);
    }

    @Test
    void cancelsPendingExecutionWithoutLease() {
        assertThat(database.store()
                        .apply(List.of(new StoreWrite.Cancellation(execution(), "ann", ExecutionSamples.NOW))))
                .isTrue();
        process(new UnusedRunner());
        assertThat(execution().value().status()).isInstanceOf(ExecutionStatus.Final.class);
    }

    @Test
    void processesRunningExecutionWithoutLease() {
        mayStart.set(true);
        ControlledRunner runner = new ControlledRunner();
        process(runner);
        mayStart.set(false);
        runner.succeed();
        for (int i = 0; i < 10 && !(execution().value().status() instanceof ExecutionStatus.Final); i++) {
            process(runner);
        }
        assertThat(execution().value().status()).isInstanceOf(ExecutionStatus.Completed.class);
    }
}
