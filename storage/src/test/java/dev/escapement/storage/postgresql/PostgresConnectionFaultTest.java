package dev.escapement.storage.postgresql;

import static dev.escapement.engine.contract.ExecutionSamples.NODE;
import static dev.escapement.engine.contract.ExecutionSamples.NOW;
import static dev.escapement.engine.contract.ExecutionSamples.execution;
import static dev.escapement.engine.contract.ExecutionSamples.heldEntry;
import static dev.escapement.engine.contract.ExecutionSamples.readExecution;
import static dev.escapement.engine.contract.ExecutionSamples.runningStatus;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionStatus;
import dev.escapement.engine.port.StoreWrite;
import dev.escapement.engine.port.Versioned;
import dev.escapement.storage.ConcurrentTasks;
import dev.escapement.storage.Database;
import dev.escapement.storage.PostgresTestDatabase;
import dev.escapement.storage.problem.StorageException.CommitOutcomeUnknownException;
import dev.escapement.storage.problem.StorageException.StorageUnavailableException;
import dev.escapement.storage.problem.StorageException.UnexpectedStorageException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Connections that break before, during and after a commit. */
class PostgresConnectionFaultTest {

    private final PostgresTestDatabase testDatabase = PostgresTestDatabase.create();
    private final Database database = testDatabase.open();
    private final Execution pendingExecution = execution(1);

    @AfterEach
    void close() {
        testDatabase.close();
    }

    private List<StoreWrite> admissionWrites() {
        return List.of(
                new StoreWrite.EntryUpdate(database.store().readEntry(NODE), heldEntry(pendingExecution), NOW),
                new StoreWrite.StatusUpdate(
                        readExecution(database.store(), pendingExecution), runningStatus(pendingExecution)));
    }

    /** Makes PostgreSQL execute an action at each commit that inserts a journal record. */
    private void runAtCommit(String action) throws SQLException {
        testDatabase.execute("CREATE FUNCTION fault() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN " + action
                + " RETURN NULL; END $$");
        testDatabase.execute("CREATE CONSTRAINT TRIGGER fault AFTER INSERT ON journal DEFERRABLE INITIALLY DEFERRED"
                + " FOR EACH ROW EXECUTE FUNCTION fault()");
    }

    @Test
    void reattemptsWholeTransactionWhenConnectionIsKilledBeforeCommit() throws Exception {
        database.store().apply(List.of(new StoreWrite.Creation(pendingExecution)));
        List<StoreWrite> writes = admissionWrites();
        CompletableFuture<Boolean> applied;
        try (Connection blocker = testDatabase.openRawConnection();
                Statement statement = blocker.createStatement()) {
            blocker.setAutoCommit(false);
            // Makes the transaction wait for the execution after it has written the ledger entry.
            statement.execute("SELECT 1 FROM executions FOR UPDATE");
            applied = CompletableFuture.supplyAsync(
                    () -> database.store().apply(writes), work -> new Thread(work).start());
            while (testDatabase
                    .queryColumn("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname ="
                            + " current_database() AND wait_event_type = 'Lock'")
                    .isEmpty()) {
                Thread.onSpinWait();
            }
            assertThat(testDatabase.countRows("ledger")).isZero();
            assertThat(testDatabase.queryColumn("SELECT phase FROM executions")).containsExactly("Pending");
            blocker.rollback();
        }
        assertThat(applied.get(60, TimeUnit.SECONDS)).isTrue();
        assertThat(testDatabase.queryColumn("SELECT type FROM journal ORDER BY seq"))
                .containsExactly("WorkflowAccepted", "PipelineRunCreated");
    }

    @Test
    void reportsUnknownOutcomeWhenConnectionBreaksDuringCommit() throws Exception {
        runAtCommit("PERFORM pg_terminate_backend(pg_backend_pid());");
        assertThatThrownBy(() -> database.store().apply(List.of(new StoreWrite.Creation(pendingExecution))))
                .isInstanceOf(CommitOutcomeUnknownException.class)
                .hasMessageContaining("execution ops/e1")
                .hasMessageContaining("read again");
        assertThat(testDatabase.countRows("executions")).isZero();
        assertThat(database.counts().writeTransactions()).isZero();
    }

    @Test
    void reattemptsCommitAfterSerializationFailure() throws Exception {
        testDatabase.execute("CREATE SEQUENCE attempts");
        runAtCommit("IF nextval('attempts') < 3 THEN RAISE EXCEPTION 'conflict' USING ERRCODE = '40001'; END IF;");
        assertThat(database.store().apply(List.of(new StoreWrite.Creation(pendingExecution))))
                .isTrue();
        assertThat(testDatabase.queryColumn("SELECT last_value FROM attempts")).containsExactly("3");
        assertThat(testDatabase.countRows("journal")).isEqualTo(1);
    }

    @Test
    void reportsUnavailableWhenCommitKeepsBeingRejected() throws Exception {
        runAtCommit("RAISE EXCEPTION 'conflict' USING ERRCODE = '40001';");
        assertThatThrownBy(() -> database.store().apply(List.of(new StoreWrite.Creation(pendingExecution))))
                .isInstanceOf(StorageUnavailableException.class)
                .hasMessageContaining("execution ops/e1")
                .hasMessageContaining(testDatabase.name());
        assertThat(testDatabase.countRows("executions")).isZero();
    }

    @Test
    void unexpectedErrorNamesTheAttemptedWrite() throws Exception {
        testDatabase.execute("ALTER TABLE journal RENAME TO journal_elsewhere");
        assertThatThrownBy(() -> database.store().apply(List.of(new StoreWrite.Creation(pendingExecution))))
                .isInstanceOf(UnexpectedStorageException.class)
                .hasMessageContaining("write the new execution ops/e1");
        assertThat(testDatabase.countRows("executions")).isZero();
    }

    @Test
    void resolvesDeadlockSoThatExactlyOneWriteSucceeds() throws Exception {
        Execution other = execution(2);
        database.store().apply(List.of(new StoreWrite.Creation(pendingExecution), new StoreWrite.Creation(other)));
        Versioned<Execution> first = readExecution(database.store(), pendingExecution);
        Versioned<Execution> second = readExecution(database.store(), other);
        List<Boolean> applied = ConcurrentTasks.runAll(
                2,
                i -> database.store()
                        .apply(
                                i == 0
                                        ? List.of(
                                                new StoreWrite.Cancellation(first, "a", NOW),
                                                new StoreWrite.Cancellation(second, "a", NOW))
                                        : List.of(
                                                new StoreWrite.Cancellation(second, "b", NOW),
                                                new StoreWrite.Cancellation(first, "b", NOW))));
        assertThat(applied).containsExactlyInAnyOrder(true, false);
    }

    @Test
    void opensNewConnectionsAfterAllWereKilled() throws Exception {
        database.store().apply(List.of(new StoreWrite.Creation(pendingExecution)));
        // Fills the pool, so that one retry per broken connection would not be enough.
        ConcurrentTasks.runAll(12, i -> database.store().apply(List.of(new StoreWrite.Creation(execution(10 + i)))));
        testDatabase.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                + " WHERE datname = current_database() AND pid <> pg_backend_pid()");
        assertThat(database.store().apply(admissionWrites())).isTrue();
        assertThat(readExecution(database.store(), pendingExecution).value().status())
                .isInstanceOf(ExecutionStatus.Running.class);
    }
}
