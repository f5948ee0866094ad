package dev.escapement.engine.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.Engine;
import dev.escapement.engine.Requeue;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionSpec;
import dev.escapement.engine.execution.ExecutionStatus;
import dev.escapement.engine.execution.RunProgress;
import dev.escapement.engine.execution.RunRef;
import dev.escapement.engine.port.StoreWrite;
import dev.escapement.engine.request.ExecutionService;
import dev.escapement.governor.FailureScope;
import dev.escapement.governor.Policy;
import dev.escapement.governor.Target;
import dev.escapement.governor.gate.SkipReason;
import dev.escapement.governor.ledger.ExecutionOutcome;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.LedgerEntry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Checks the writes of the engine and their order, without faults. */
class EngineTest {

    private static final Target NODE = Target.parse("node/a");
    private static final Instant NOW = Instant.parse("2026-11-15T12:00:00Z");

    private final List<List<StoreWrite>> appliedWrites = new ArrayList<>();
    private final SimulationInvariants invariants = new SimulationInvariants(Policy.DEFAULT);
    private final SimulatedStore store = new SimulatedStore(new SplittableRandom(1), true, invariants) {
        @Override
        int chooseVersion(int count) {
            return count - 1;
        }

        @Override
        public boolean apply(List<StoreWrite> writes) {
            appliedWrites.add(writes);
            return super.apply(writes);
        }
    };
    private final SimulatedRunner runner = new SimulatedRunner(new SplittableRandom(1), invariants, () -> NOW);
    private final Engine engine = new Engine(store, runner, () -> Policy.DEFAULT);
    private final ExecutionService service = new ExecutionService(store, store.queries(), () -> Policy.DEFAULT);

    private ExecutionRef createExecution(int number, String workflow, String target) {
        ExecutionRef ref = new ExecutionRef("ops", "e" + number, "uid-" + number);
        service.create(Execution.pending(ref, NOW, ExecutionSpec.of(workflow, target, Map.of())));
        appliedWrites.clear();
        return ref;
    }

    private Requeue advance(ExecutionRef ref) {
        return engine.advance(store.readExecution(ref).orElseThrow(), NOW);
    }

    private ExecutionStatus status(ExecutionRef ref) {
        return store.readExecution(ref).orElseThrow().value().status();
    }

    private SimulatedRunner.SimulatedRun run(ExecutionRef ref) {
        return Objects.requireNonNull(runner.runs.get(ref));
    }

    @Test
    void doesNotWriteStatusForRunOnOtherServer() {
        ExecutionRef ref = createExecution(1, "repair", "node/a");
        advance(ref);
        appliedWrites.clear();
        SimulatedRunner elsewhere = new SimulatedRunner(new SplittableRandom(1), invariants, () -> NOW) {
            @Override
            public Observation observe(RunRef run) {
                return new Observation.Running(RunProgress.UNKNOWN);
            }
        };
        Engine other = new Engine(store, elsewhere, () -> Policy.DEFAULT);
        assertThat(other.advance(store.readExecution(ref).orElseThrow(), NOW)).isEqualTo(Requeue.ON_CHANGE);
        assertThat(appliedWrites).isEmpty();
    }

    @Test
    void successTakesTwoTransactions() {
        ExecutionRef ref = createExecution(1, "repair", "node/a");
        assertThat(advance(ref)).isEqualTo(Requeue.ON_CHANGE);
        assertThat(status(ref)).isInstanceOf(ExecutionStatus.Running.class);
        assertThat(run(ref).state).isEqualTo(SimulatedRunner.RunState.RUNNING);
        assertThat(store.latestEntry(NODE).heldBy(ref).orElseThrow().holder().runUid())
                .isEqualTo(run(ref).ref.uid());

        runner.endRun(run(ref), SimulatedRunner.RunState.SUCCEEDED);
        assertThat(advance(ref)).isEqualTo(Requeue.NEVER);
        assertThat(status(ref)).isInstanceOf(ExecutionStatus.Completed.class);
        assertThat(store.latestEntry(NODE)).isInstanceOf(LedgerEntry.Free.class);
        assertThat(advance(ref)).isEqualTo(Requeue.NEVER);

        assertThat(appliedWrites).hasSize(2);
        assertThat(appliedWrites.get(0))
                .extracting(write -> write.getClass().getSimpleName())
                .containsExactly("EntryUpdate", "StatusUpdate");
        assertThat(appliedWrites.get(1))
                .extracting(write -> write.getClass().getSimpleName())
                .containsExactly("StatusUpdate", "EntryUpdate");
    }

    @Test
    void writesNothingWhileWaiting() {
        ExecutionRef ref = createExecution(1, "repair", "node/a");
        advance(ref);
        int before = appliedWrites.size();
        for (int i = 0; i < 5; i++) {
            assertThat(advance(ref)).isEqualTo(Requeue.ON_CHANGE);
        }
        assertThat(appliedWrites).hasSize(before);
        run(ref).tasksDone = 1;
        advance(ref);
        assertThat(appliedWrites).hasSize(before + 1);
    }

    @Test
    void skipTakesOneWriteAndNamesHolder() {
        ExecutionRef first = createExecution(1, "repair", "node/a");
        ExecutionRef second = createExecution(2, "other", "Node/a");
        advance(first);
        appliedWrites.clear();
        advance(second);
        assertThat(appliedWrites).hasSize(1);
        ExecutionStatus.SkipDetails details = ((ExecutionStatus.Skipped) status(second)).details();
        assertThat(details.reason()).isEqualTo(SkipReason.ResourceBusy);
        assertThat(details.conflictingHolder().orElseThrow().execution()).isEqualTo(first);
        assertThat(advance(second)).isEqualTo(Requeue.NEVER);
    }

    @Test
    void finalHolderDoesNotBlockOthers() {
        ExecutionRef first = createExecution(1, "repair", "node/a");
        advance(first);
        runner.endRun(run(first), SimulatedRunner.RunState.SUCCEEDED);
        // The engine is killed between the final status and the release.
        Execution running = store.readExecution(first).orElseThrow().value();
        store.apply(List.of(new StoreWrite.StatusUpdate(
                store.readExecution(first).orElseThrow(),
                ((ExecutionStatus.Running) running.status())
                        .toCompleted(((ExecutionStatus.Running) running.status()).progress(), NOW))));
        assertThat(store.latestEntry(NODE).heldBy(first)).isPresent();
        ExecutionRef second = createExecution(2, "other", "node/a");
        advance(second);
        assertThat(status(second)).isInstanceOf(ExecutionStatus.Running.class);
        assertThat(store.latestEntry(NODE).memory().lastCompleted("repair")).isPresent();
    }

    @Test
    void refusedRunCountsAsFailureAndReleasesTarget() {
        ExecutionRef ref = createExecution(1, "missing", "node/a");
        assertThat(advance(ref)).isEqualTo(Requeue.IMMEDIATELY);
        ExecutionStatus.Failed failed = (ExecutionStatus.Failed) status(ref);
        assertThat(failed.failure().wasExecutionFailure()).isFalse();
        assertThat(advance(ref)).isEqualTo(Requeue.NEVER);
        assertThat(store.latestEntry(NODE)).isInstanceOf(LedgerEntry.Free.class);
        assertThat(store.latestEntry(NODE).memory().consecutiveFailures(FailureScope.TARGET, "missing"))
                .isEqualTo(1);
    }

    @Test
    void failedStartCountsButDoesNotBlock() {
        ExecutionRef ref = createExecution(1, "repair", "node/a");
        advance(ref);
        runner.endRun(run(ref), SimulatedRunner.RunState.FAILED_BEFORE);
        assertThat(advance(ref)).isEqualTo(Requeue.NEVER);
        assertThat(((ExecutionStatus.Failed) status(ref)).failure().wasExecutionFailure())
                .isFalse();
        assertThat(store.latestEntry(NODE).memory().consecutiveFailures(FailureScope.TARGET, "repair"))
                .isEqualTo(1);
        assertThat(store.latestEntry(NODE).memory().block(FailureScope.TARGET, "repair"))
                .isEmpty();
    }

    @Test
    void invalidRequestFailsOnBusyTargetAndCountsForItsWorkflow() {
        ExecutionRef holder = createExecution(1, "repair", "node/a");
        advance(holder);
        ExecutionRef ref = createExecution(2, SimulatedRunner.INVALID_WORKFLOW, "node/a");
        advance(ref);
        ExecutionStatus.Failed failed = (ExecutionStatus.Failed) status(ref);
        assertThat(failed.failure().reason().name()).isEqualTo("ValidationError");
        assertThat(failed.failure().message()).contains("parameter SIZE is missing");
        assertThat(failed.failure().wasExecutionFailure()).isFalse();
        assertThat(appliedWrites).hasSize(1);
        assertThat(store.latestEntry(NODE).heldBy(holder)).isPresent();
        assertThat(store.latestEntry(NODE).invalidRequestOutcome(ref, SimulatedRunner.INVALID_WORKFLOW))
                .hasValue((ExecutionOutcome.FailedBeforeExecution) failed.outcome());
        assertThat(store.latestEntry(NODE).memory().failureStreak()).isEmpty();
        assertThat(advance(ref)).isEqualTo(Requeue.NEVER);
        runner.endRun(run(holder), SimulatedRunner.RunState.SUCCEEDED);
        advance(holder);
        assertThat(status(holder)).isInstanceOf(ExecutionStatus.Completed.class);
    }

    @Test
    void invalidRequestFailsOnBlockedTarget() {
        ExecutionRef broken = createExecution(1, "repair", "node/a");
        advance(broken);
        runner.endRun(run(broken), SimulatedRunner.RunState.FAILED_DURING);
        advance(broken);
        ExecutionRef ref = createExecution(2, SimulatedRunner.INVALID_WORKFLOW, "node/a");
        advance(ref);
        assertThat(((ExecutionStatus.Failed) status(ref)).failure().reason().name())
                .isEqualTo("ValidationError");
        ExecutionRef valid = createExecution(3, "other", "node/a");
        advance(valid);
        assertThat(((ExecutionStatus.Skipped) status(valid)).details().reason())
                .isEqualTo(SkipReason.PreviousExecutionFailed);
    }

    @Test
    void invalidTargetFailsWithoutLedgerWrite() {
        ExecutionRef ref = createExecution(1, "repair", "not a target");
        advance(ref);
        ExecutionStatus.Failed failed = (ExecutionStatus.Failed) status(ref);
        assertThat(failed.failure().reason().name()).isEqualTo("ValidationError");
        assertThat(failed.failure().message()).contains("not a target").contains("namespace/kind/name");
        assertThat(store.storedEntries()).isEmpty();
        assertThat(advance(ref)).isEqualTo(Requeue.NEVER);
    }

    @Test
    void deletedHolderIsStoppedAndBlocksUntilCleared() {
        ExecutionRef ref = createExecution(1, "repair", "node/a");
        advance(ref);
        service.delete("ops", ref.name(), "anna", NOW);
        assertThat(engine.cleanUpDeleted(ref, NODE, NOW).deadline())
                .contains(NOW.plus(Policy.DEFAULT.executorTimeout()));
        ExecutionRef meanwhile = createExecution(3, "repair", "node/a");
        advance(meanwhile);
        assertThat(((ExecutionStatus.Skipped) status(meanwhile)).details().reason())
                .isEqualTo(SkipReason.ResourceBusy);
        assertThat(runner.runs.values()).allMatch(run -> run.stopping);
        runner.endRun(run(ref), SimulatedRunner.RunState.FAILED_DURING);
        assertThat(engine.recoverLock(NODE, NOW)).isEqualTo(Requeue.NEVER);
        assertThat(store.latestEntry(NODE).memory().block(FailureScope.TARGET, "x"))
                .isPresent();
        ExecutionRef next = createExecution(2, "repair", "node/a");
        advance(next);
        assertThat(((ExecutionStatus.Skipped) status(next)).details().reason())
                .isEqualTo(SkipReason.PreviousExecutionFailed);
    }

    @Test
    void cancelledExecutionIsStoppedOrNeverStarted() {
        ExecutionRef waiting = createExecution(1, "repair", "node/a");
        service.cancel("ops", waiting.name(), "anna", NOW);
        advance(waiting);
        assertThat(((ExecutionStatus.Failed) status(waiting)).failure().reason().name())
                .isEqualTo("Cancelled");
        assertThat(store.storedEntries()).isEmpty();

        ExecutionRef going = createExecution(2, "repair", "node/a");
        advance(going);
        service.cancel("ops", going.name(), "anna", NOW);
        advance(going);
        assertThat(run(going).stopping).isTrue();
        runner.endRun(run(going), SimulatedRunner.RunState.FAILED_DURING);
        advance(going);
        assertThat(((ExecutionStatus.Failed) status(going)).failure().wasExecutionFailure())
                .isTrue();
    }

    @Test
    void doesNotStartRunCancelledBeforeStart() {
        ExecutionRef ref = createExecution(1, "repair", "node/a");
        SimulatedRunner deaf = new SimulatedRunner(new SplittableRandom(1), invariants, () -> NOW) {
            @Override
            boolean mayStart(SimulatedRun run, String version) {
                return false;
            }
        };
        new Engine(store, deaf, () -> Policy.DEFAULT)
                .advance(store.readExecution(ref).orElseThrow(), NOW);
        runner.runs.putAll(deaf.runs);
        assertThat(status(ref)).isInstanceOf(ExecutionStatus.Running.class);
        service.cancel("ops", ref.name(), "anna", NOW);
        assertThat(advance(ref)).isEqualTo(Requeue.NEVER);
        ExecutionStatus.Failed failed = (ExecutionStatus.Failed) status(ref);
        assertThat(failed.failure().reason().name()).isEqualTo("Cancelled");
        assertThat(failed.failure().wasExecutionFailure()).isFalse();
        assertThat(runner.runs).isEmpty();
        assertThat(store.latestEntry(NODE).memory().isEmpty()).isTrue();
        assertThat(store.latestEntry(NODE)).isInstanceOf(LedgerEntry.Free.class);
    }

    @Test
    void rereadBeforeAdmissionSeesCancellation() {
        ExecutionRef ref = createExecution(1, "repair", "node/a");
        var old = store.readExecution(ref).orElseThrow();
        service.cancel("ops", ref.name(), "anna", NOW);
        assertThat(engine.advance(old, NOW)).isEqualTo(Requeue.IMMEDIATELY);
        assertThat(runner.runs).isEmpty();
        assertThat(advance(ref)).isEqualTo(Requeue.IMMEDIATELY);
        assertThat(((ExecutionStatus.Failed) status(ref)).failure().reason().name())
                .isEqualTo("Cancelled");
    }
}
