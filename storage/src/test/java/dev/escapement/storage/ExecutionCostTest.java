package dev.escapement.storage;

import static dev.escapement.engine.contract.ExecutionSamples.NOW;
import static dev.escapement.engine.contract.ExecutionSamples.execution;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.Engine;
import dev.escapement.engine.Requeue;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionStatus;
import dev.escapement.engine.port.ExecutionStore;
import dev.escapement.engine.request.ExecutionService;
import dev.escapement.governor.Policy;
import dev.escapement.storage.jdbc.StatementCounters.Counts;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Counts write transactions and statements per execution, with the real engine. */
@ParameterizedClass
@EnumSource(DatabaseKind.class)
class ExecutionCostTest {

    private final DatabaseKind kind;
    private final TestDatabase testDatabase;
    private final Database database;
    private final ExecutionStore store;
    private final ManuallyFinishedRunner runner = new ManuallyFinishedRunner(NOW);
    private final Engine engine;
    private final ExecutionService executionService;

    ExecutionCostTest(DatabaseKind kind) {
        this.kind = kind;
        testDatabase = kind.create();
        database = testDatabase.open();
        store = database.store();
        engine = new Engine(store, runner, () -> Policy.DEFAULT);
        executionService = new ExecutionService(store, database.queries(), () -> Policy.DEFAULT);
        database.serverRegistry().register("server-1", "one", java.time.Duration.ofMinutes(1));
    }

    @AfterEach
    void close() {
        testDatabase.close();
    }

    private Requeue advance(Execution execution) {
        return engine.advance(store.readExecution(execution.ref()).orElseThrow(), NOW);
    }

    private ExecutionStatus status(Execution execution) {
        return store.readExecution(execution.ref()).orElseThrow().value().status();
    }

    @Test
    void completedExecutionTakesThreeWriteTransactions() {
        Execution created = execution(1);
        Counts before = database.counts();
        executionService.create(created);
        assertThat(advance(created)).isEqualTo(Requeue.ON_CHANGE);
        runner.finish(created);
        assertThat(advance(created)).isEqualTo(Requeue.NEVER);
        Counts cost = database.counts().since(before);

        assertThat(status(created)).isInstanceOf(ExecutionStatus.Completed.class);
        System.out.printf(
                "%s: a completed execution costs %d write transactions, %d statements%n",
                kind, cost.writeTransactions(), cost.statements());
        assertThat(cost.writeTransactions()).isEqualTo(3);
        assertThat(cost.statements()).isLessThanOrEqualTo(13);
    }

    @Test
    void skippedExecutionTakesTwoWriteTransactions() {
        Execution holder = execution(1);
        executionService.create(holder);
        advance(holder);
        Execution second = execution(2);
        Counts before = database.counts();
        executionService.create(second);
        advance(second);
        Counts cost = database.counts().since(before);

        assertThat(status(second)).isInstanceOf(ExecutionStatus.Skipped.class);
        System.out.printf(
                "%s: a skipped execution costs %d write transactions, %d statements%n",
                kind, cost.writeTransactions(), cost.statements());
        assertThat(cost.writeTransactions()).isEqualTo(2);
        assertThat(cost.statements()).isLessThanOrEqualTo(7);
    }

    @Test
    void advancingRunningExecutionTakesNoWriteTransaction() {
        Execution created = execution(1);
        executionService.create(created);
        advance(created);
        Counts before = database.counts();
        for (int i = 0; i < 10; i++) {
            assertThat(advance(created)).isEqualTo(Requeue.ON_CHANGE);
        }
        assertThat(database.counts().since(before)).isEqualTo(new Counts(10, 0));
    }

    @Test
    void rejectedWriteIsNotCountedAsWriteTransaction() {
        Execution created = execution(1);
        executionService.create(created);
        Counts before = database.counts();
        assertThat(executionService.create(created)).isFalse();
        assertThat(database.counts().since(before).writeTransactions()).isZero();
    }
}
