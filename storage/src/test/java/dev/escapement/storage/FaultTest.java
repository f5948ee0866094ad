package dev.escapement.storage;

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
import dev.escapement.engine.port.Versioned;
import dev.escapement.engine.port.StoreWrite;
import dev.escapement.storage.problem.OutcomeUnknown;
import dev.escapement.storage.problem.StorageFailed;
import dev.escapement.storage.problem.StoreUnavailable;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Connections that break, before, while and after something is committed. */
class FaultTest {

    private final RealPostgres world = RealPostgres.fresh();
    private final Database database = world.open();
    private final Execution mine = execution(1);

    @AfterEach
    void close() {
        world.close();
    }

    private List<StoreWrite> admission() {
        return List.of(
                new StoreWrite.EntryUpdate(database.store().readEntry(NODE), heldEntry(mine), NOW),
                new StoreWrite.StatusUpdate(readExecution(database.store(), mine), runningStatus(mine)));
    }

    /** PostgreSQL runs this at the commit of whatever inserts a record. */
    private void atCommit(String action) throws SQLException {
        world.execute("CREATE FUNCTION fault() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN " + action
                + " RETURN NULL; END $$");
        world.execute("CREATE CONSTRAINT TRIGGER fault AFTER INSERT ON journal DEFERRABLE INITIALLY DEFERRED"
                + " FOR EACH ROW EXECUTE FUNCTION fault()");
    }

    @Test
    void aConnectionKilledInTheMiddleLeavesNothingHalfWrittenAndIsTriedAgain() throws Exception {
        database.store().apply(List.of(new StoreWrite.Creation(mine)));
        List<StoreWrite> writes = admission();
        CompletableFuture<Boolean> applied;
        try (Connection obstacle = world.raw();
                Statement statement = obstacle.createStatement()) {
            obstacle.setAutoCommit(false);
            // The entry is written, then the execution is waited for.
            statement.execute("SELECT 1 FROM executions FOR UPDATE");
            applied = CompletableFuture.supplyAsync(
                    () -> database.store().apply(writes), work -> new Thread(work).start());
            while (world.column("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname ="
                            + " current_database() AND wait_event_type = 'Lock'")
                    .isEmpty()) {
                Thread.onSpinWait();
            }
            assertThat(world.count("ledger")).isZero();
            assertThat(world.column("SELECT phase FROM executions")).containsExactly("Pending");
            obstacle.rollback();
        }
        assertThat(applied.get(60, TimeUnit.SECONDS)).isTrue();
        assertThat(world.column("SELECT type FROM journal ORDER BY seq"))
                .containsExactly("WorkflowAccepted", "PipelineRunCreated");
    }

    @Test
    void aConnectionThatBreaksDuringTheCommitIsReportedAsUnknown() throws Exception {
        atCommit("PERFORM pg_terminate_backend(pg_backend_pid());");
        assertThatThrownBy(() -> database.store().apply(List.of(new StoreWrite.Creation(mine))))
                .isInstanceOf(OutcomeUnknown.class)
                .hasMessageContaining("execution ops/e1")
                .hasMessageContaining("look again");
        assertThat(world.count("executions")).isZero();
        assertThat(database.counts().writeTransactions()).isZero();
    }

    @Test
    void aCommitThatIsRefusedForAMomentIsMadeAgain() throws Exception {
        world.execute("CREATE SEQUENCE tries");
        atCommit("IF nextval('tries') < 3 THEN RAISE EXCEPTION 'in the way' USING ERRCODE = '40001'; END IF;");
        assertThat(database.store().apply(List.of(new StoreWrite.Creation(mine)))).isTrue();
        assertThat(world.column("SELECT last_value FROM tries")).containsExactly("3");
        assertThat(world.count("journal")).isEqualTo(1);
    }

    @Test
    void aCommitThatIsRefusedAgainAndAgainIsReportedAsUnavailable() throws Exception {
        atCommit("RAISE EXCEPTION 'in the way' USING ERRCODE = '40001';");
        assertThatThrownBy(() -> database.store().apply(List.of(new StoreWrite.Creation(mine))))
                .isInstanceOf(StoreUnavailable.class)
                .hasMessageContaining("execution ops/e1")
                .hasMessageContaining(world.name());
        assertThat(world.count("executions")).isZero();
    }

    @Test
    void anErrorThatNobodyExpectedNamesWhatWasBeingDone() throws Exception {
        world.execute("ALTER TABLE journal RENAME TO journal_elsewhere");
        assertThatThrownBy(() -> database.store().apply(List.of(new StoreWrite.Creation(mine))))
                .isInstanceOf(StorageFailed.class)
                .hasMessageContaining("write the new execution ops/e1");
        assertThat(world.count("executions")).isZero();
    }

    @Test
    void twoWhoWaitForEachOtherAreToldApart() throws Exception {
        Execution other = execution(2);
        database.store().apply(List.of(new StoreWrite.Creation(mine), new StoreWrite.Creation(other)));
        Versioned<Execution> first = readExecution(database.store(), mine);
        Versioned<Execution> second = readExecution(database.store(), other);
        List<Boolean> made = Together.each(
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
        assertThat(made).containsExactlyInAnyOrder(true, false);
    }

    @Test
    void whenEveryConnectionIsKilledTheNextRequestFindsNewOnes() throws Exception {
        database.store().apply(List.of(new StoreWrite.Creation(mine)));
        // As many as there can be, so that trying one after the other would not do.
        Together.each(12, i -> database.store().apply(List.of(new StoreWrite.Creation(execution(10 + i)))));
        world.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                + " WHERE datname = current_database() AND pid <> pg_backend_pid()");
        assertThat(database.store().apply(admission())).isTrue();
        assertThat(readExecution(database.store(), mine).value().status()).isInstanceOf(ExecutionStatus.Running.class);
    }
}
