package dev.escapement.server.standalone;

import static dev.escapement.engine.contract.ExecutionSamples.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.contract.ExecutionSamples;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionStatus;
import dev.escapement.engine.execution.RunRef;
import dev.escapement.engine.port.RunnerService.ActiveRun;
import dev.escapement.engine.port.StoreWrite;
import dev.escapement.engine.port.Versioned;
import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.storage.Database;
import dev.escapement.storage.DatabaseKind;
import dev.escapement.storage.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Runs of this machine are compared with what a restored database says about their executions. */
class UnknownRunRecorderTest {

    private static final Duration LEASE = Duration.ofMinutes(10);

    private final TestDatabase testDatabase = DatabaseKind.SQLITE.create();
    private final Database database = testDatabase.open();
    private final Execution execution = ExecutionSamples.execution(1);

    UnknownRunRecorderTest() {
        database.serverRegistry().register("own-server", "first", LEASE);
    }

    @AfterEach
    void close() {
        testDatabase.close();
    }

    private void apply(StoreWrite... writes) {
        assertThat(database.store().apply(List.of(writes))).isTrue();
    }

    private void recordUnknown(Execution... active) {
        List<ActiveRun> runs = List.of(active).stream()
                .map(each -> new ActiveRun(
                        each.ref(),
                        each.workflowId(),
                        each.spec().targetResource(),
                        ExecutionSamples.runRef(each),
                        NOW))
                .toList();
        new UnknownRunRecorder(database.store(), () -> NOW.plusSeconds(60)).recordUnknown(runs);
    }

    private Execution stored(Execution which) {
        return ExecutionSamples.readExecution(database.store(), which).value();
    }

    private LedgerEntry entry(Execution which) {
        return database.store()
                .readEntry(Target.parse(which.spec().targetResource()))
                .value();
    }

    private void assertHoldsTargetAndIsCancelled(Execution active) {
        RunRef run = ExecutionSamples.runRef(active);
        Execution found = stored(active);
        assertThat(found.status()).isInstanceOfSatisfying(ExecutionStatus.Running.class, running -> {
            assertThat(running.run()).isEqualTo(run);
            assertThat(running.epoch()).isEqualTo(entry(active).epoch());
        });
        assertThat(found.cancelledBy()).contains(UnknownRunRecorder.ACTOR);
        assertThat(found.spec()).isEqualTo(active.spec());
        assertThat(entry(active).heldBy(active.ref()))
                .hasValueSatisfying(held -> assertThat(held.holder().runUid()).isEqualTo(run.uid()));
    }

    @Test
    void pendingExecutionOfOlderBackupHoldsItsTargetAndIsCancelled() {
        apply(new StoreWrite.Creation(execution));
        recordUnknown(execution);
        assertHoldsTargetAndIsCancelled(execution);
    }

    @Test
    void takesOverPendingExecutionThatOlderBackupAssignsToOtherServer() {
        database.serverRegistry().register("other-server", "second", LEASE);
        apply(new StoreWrite.Creation(execution));
        database.serverRegistry().register("own-server", "first", LEASE);
        recordUnknown(execution);
        assertHoldsTargetAndIsCancelled(execution);
        Versioned<Execution> owned = ExecutionSamples.readExecution(database.store(), execution);
        apply(new StoreWrite.StatusUpdate(owned, ExecutionSamples.completedStatus(execution)));
    }

    @Test
    void runningExecutionWithOtherRunHoldsItsTargetWithActiveRun() {
        RunRef other = new RunRef("run-of-other", "run-uid-of-other");
        apply(new StoreWrite.Creation(execution));
        Versioned<Execution> pending = ExecutionSamples.readExecution(database.store(), execution);
        ExecutionStatus.Running known = ExecutionSamples.runningStatus(execution);
        apply(new StoreWrite.StatusUpdate(
                pending, new ExecutionStatus.Running(other, known.epoch(), NOW, known.progress())));
        recordUnknown(execution);
        assertHoldsTargetAndIsCancelled(execution);
    }

    @Test
    void leavesExecutionThatDatabaseKnowsWithItsRun() {
        Execution running = execution.withStatus(ExecutionSamples.runningStatus(execution));
        apply(new StoreWrite.Creation(running));
        recordUnknown(execution);
        assertThat(stored(execution)).isEqualTo(running);
        assertThat(entry(execution)).isInstanceOf(LedgerEntry.Free.class);
    }

    @Test
    void leavesExecutionThatHoldsItsTargetOrHasEnded() {
        Target target = Target.parse(execution.spec().targetResource());
        apply(
                new StoreWrite.Creation(execution),
                new StoreWrite.EntryUpdate(
                        database.store().readEntry(target), ExecutionSamples.heldEntry(execution), NOW));
        Execution other = ExecutionSamples.execution("ops", 2, "repair", "node/other");
        Execution ended = other.withStatus(ExecutionSamples.completedStatus(other));
        apply(new StoreWrite.Creation(ended));
        recordUnknown(execution, other);
        assertThat(stored(execution)).isEqualTo(execution);
        assertThat(stored(other)).isEqualTo(ended);
    }

    @Test
    void damagedRowDoesNotPreventTheOthers() throws SQLException {
        Execution damaged = ExecutionSamples.execution("ops", 2, "repair", "node/damaged");
        Execution blocked = ExecutionSamples.execution("ops", 3, "repair", "node/damaged-entry");
        apply(new StoreWrite.Creation(damaged), new StoreWrite.Creation(blocked), new StoreWrite.Creation(execution));
        Target target = Target.parse(blocked.spec().targetResource());
        apply(new StoreWrite.EntryUpdate(
                database.store().readEntry(target), ExecutionSamples.blockedEntry(blocked), NOW));
        testDatabase.execute("UPDATE executions SET document = '{damaged' WHERE name = 'e2'");
        testDatabase.execute("UPDATE ledger SET document = '{damaged' WHERE target = 'node/damaged-entry'");
        recordUnknown(damaged, blocked, execution);
        assertHoldsTargetAndIsCancelled(execution);
    }
}
