package dev.escapement.engine.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.Engine;
import dev.escapement.engine.Requeue;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionSpec;
import dev.escapement.engine.execution.ExecutionStatus;
import dev.escapement.engine.port.Versioned;
import dev.escapement.engine.port.WorkflowRunner.TargetRun;
import dev.escapement.engine.request.ExecutionService;
import dev.escapement.governor.FailureScope;
import dev.escapement.governor.Policy;
import dev.escapement.governor.Target;
import dev.escapement.governor.gate.SkipReason;
import dev.escapement.governor.ledger.Clearance;
import dev.escapement.governor.ledger.ExecutionOutcome;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.ledger.LedgerEntry.Held;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** A user can delete the ledger entry of a target while an execution holds it. */
class RemovedLedgerEntryTest {

    private static final Target NODE = Target.parse("node/a");
    private static final Instant NOW = Instant.parse("2026-11-15T12:00:00Z");

    private final SimulationInvariants invariants = new SimulationInvariants(Policy.DEFAULT);

    private boolean staleReads;
    private Optional<ExecutionRef> unreadable = Optional.empty();
    private final SimulatedStore store = new SimulatedStore(new SplittableRandom(1), false, invariants) {
        @Override
        public Optional<Versioned<Execution>> readExecution(ExecutionRef ref) {
            if (unreadable.equals(Optional.of(ref))) {
                throw new IllegalArgumentException("status.failureDetails.failedAt is missing");
            }
            return super.readExecution(ref);
        }

        @Override
        public Optional<Versioned<Execution>> readCachedExecution(ExecutionRef ref) {
            return unreadable.equals(Optional.of(ref)) ? readExecution(ref) : super.readCachedExecution(ref);
        }

        @Override
        int chooseVersion(int count) {
            return Math.max(0, count - (staleReads ? 2 : 1));
        }
    };
    private boolean rejectStarts;
    private Optional<TargetRun> staleRun = Optional.empty();
    private final SimulatedRunner runner = new SimulatedRunner(new SplittableRandom(1), invariants, () -> NOW) {
        @Override
        public Optional<TargetRun> findActiveRun(ExecutionRef execution) {
            return staleRun.or(() -> super.findActiveRun(execution));
        }

        @Override
        boolean mayStart(SimulatedRun run, String version) {
            return !rejectStarts && super.mayStart(run, version);
        }
    };
    private final Engine engine = new Engine(store, runner, () -> Policy.DEFAULT);
    private final ExecutionService service = new ExecutionService(store, store.queries(), () -> Policy.DEFAULT);

    private ExecutionRef createAndAdvance(int number) {
        return createAndAdvance(number, "repair");
    }

    private ExecutionRef createAndAdvance(int number, String workflow) {
        ExecutionRef ref = new ExecutionRef("ops", "e" + number, "uid-" + number);
        service.create(Execution.pending(ref, NOW, ExecutionSpec.of(workflow, "node/a", Map.of())));
        advance(ref);
        return ref;
    }

    private Requeue advance(ExecutionRef ref) {
        return engine.advance(store.readExecution(ref).orElseThrow(), NOW);
    }

    private void advanceUntilDone(ExecutionRef ref) {
        for (int look = 0; look < 5 && advance(ref) == Requeue.IMMEDIATELY; look++) {
            // Again, as the caller of the engine does.
        }
    }

    private ExecutionStatus status(ExecutionRef ref) {
        return store.readExecution(ref).orElseThrow().value().status();
    }

    private SimulatedRunner.SimulatedRun run(ExecutionRef ref) {
        return Objects.requireNonNull(runner.runs.get(ref));
    }

    private Held heldEntry() {
        return (Held) store.latestEntry(NODE);
    }

    @Test
    void restoresEntryOfRunningExecution() {
        createAndAdvance(1);
        Held before = heldEntry();
        store.removeEntry(NODE);
        engine.restoreRemovedEntry(before, NOW);
        assertThat(store.latestEntry(NODE)).isEqualTo(before);
    }

    @Test
    void doesNotOverwriteEntryOfNewHolder() {
        ExecutionRef first = createAndAdvance(1);
        Held before = heldEntry();
        store.removeEntry(NODE);
        invariants.entryLost(NODE);
        invariants.runVanished(run(first));
        runner.runs.clear();
        ExecutionRef second = createAndAdvance(2);
        engine.restoreRemovedEntry(before, NOW);
        assertThat(heldEntry().holder().execution()).isEqualTo(second);
    }

    @Test
    void newExecutionReturnsLostEntryToRunningExecution() {
        ExecutionRef first = createAndAdvance(1);
        store.removeEntry(NODE);
        ExecutionRef second = createAndAdvance(2);
        assertThat(heldEntry().holder().execution()).isEqualTo(first);
        assertThat(status(second)).isInstanceOf(ExecutionStatus.Pending.class);
        advanceUntilDone(second);
        assertThat(((ExecutionStatus.Skipped) status(second)).details().reason())
                .isEqualTo(SkipReason.ResourceBusy);
        runner.endRun(run(first), SimulatedRunner.RunState.FAILED_DURING);
        advanceUntilDone(first);
        assertThat(store.latestEntry(NODE).memory().forWorkflow("repair").block())
                .isPresent();
    }

    /** Nothing but the label of the run tells which execution it belongs to. */
    @Test
    void newExecutionStopsRunOfDeletedExecutionWhoseEntryWasLost() {
        ExecutionRef first = createAndAdvance(1);
        store.removeEntry(NODE);
        store.executions.remove(first);
        ExecutionRef second = createAndAdvance(2);
        assertThat(heldEntry().holder().execution()).isEqualTo(first);
        advanceUntilDone(second);
        assertThat(run(first).stopping).isTrue();
        assertThat(((ExecutionStatus.Skipped) status(second)).details().reason())
                .isEqualTo(SkipReason.ResourceBusy);
        runner.endRun(run(first), SimulatedRunner.RunState.FAILED_DURING);
        engine.recoverLock(NODE, NOW);
        assertThat(store.latestEntry(NODE).memory().forWorkflow("repair").block())
                .isPresent();
    }

    /** For example after an edit of its status by hand. */
    @Test
    void endedRunOfUnreadableExecutionIsHarmless() {
        ExecutionRef first = createAndAdvance(1);
        runner.endRun(run(first), SimulatedRunner.RunState.SUCCEEDED);
        advanceUntilDone(first);
        store.removeEntry(NODE);
        invariants.entryLost(NODE);
        unreadable = Optional.of(first);

        ExecutionRef second = createAndAdvance(2);

        assertThat(status(second)).isInstanceOf(ExecutionStatus.Running.class);
    }

    @Test
    void activeRunOfUnreadableExecutionIsStoppedFirst() {
        ExecutionRef first = createAndAdvance(1);
        store.removeEntry(NODE);
        unreadable = Optional.of(first);

        ExecutionRef second = createAndAdvance(2);

        assertThat(status(second)).isInstanceOf(ExecutionStatus.Pending.class);
        assertThat(run(first).stopping).isTrue();
    }

    @Test
    void unreadableExecutionDoesNotPreventClearance() {
        ExecutionRef first = createAndAdvance(1);
        runner.endRun(run(first), SimulatedRunner.RunState.FAILED_DURING);
        advanceUntilDone(first);
        unreadable = Optional.of(first);

        service.clear(NODE, new Clearance("anna", "looked", NOW));

        assertThat(store.latestEntry(NODE).memory().hasFailures()).isFalse();
    }

    /** The cache of runs may lag behind the ledger. */
    @Test
    void deletedExecutionDoesNotAcquireTargetAgainForEndedRun() {
        ExecutionRef first = createAndAdvance(1);
        staleRun = runner.findActiveRun(first);
        runner.endRun(run(first), SimulatedRunner.RunState.FAILED_DURING);
        advanceUntilDone(first);
        LedgerEntry blocked = store.latestEntry(NODE);
        store.executions.remove(first);
        assertThat(engine.cleanUpDeleted(first, NODE, NOW)).isEqualTo(Requeue.NEVER);
        assertThat(store.latestEntry(NODE)).isEqualTo(blocked).isInstanceOf(LedgerEntry.Free.class);
    }

    @Test
    void deletionStopsRunThatTheLedgerDoesNotName() {
        ExecutionRef first = createAndAdvance(1);
        store.removeEntry(NODE);
        store.executions.remove(first);
        assertThat(engine.cleanUpDeleted(first, NODE, NOW)).isEqualTo(Requeue.IMMEDIATELY);
        assertThat(engine.cleanUpDeleted(first, NODE, NOW)).isNotEqualTo(Requeue.NEVER);
        assertThat(run(first).stopping).isTrue();
        assertThat(heldEntry().holder().execution()).isEqualTo(first);
    }

    @Test
    void runningExecutionRestoresItsEntryAtTheNextLook() {
        ExecutionRef first = createAndAdvance(1);
        store.removeEntry(NODE);
        assertThat(advance(first)).isEqualTo(Requeue.ON_CHANGE);
        assertThat(heldEntry().holder().execution()).isEqualTo(first);
    }

    /** A request to delete an entry takes effect when it holds and blocks nothing. */
    @Test
    void deletedEntryStaysUntilItIsReleasedAndCleared() {
        ExecutionRef first = createAndAdvance(1);
        store.deleteEntry(NODE);
        assertThat(heldEntry().holder().execution()).isEqualTo(first);
        runner.endRun(run(first), SimulatedRunner.RunState.FAILED_DURING);
        advanceUntilDone(first);
        assertThat(store.latestEntry(NODE).memory().forWorkflow("repair").block())
                .isPresent();
        service.clear(NODE, new Clearance("anna", "looked", NOW));
        assertThat(store.storedEntries()).isEmpty();
    }

    @Test
    void doesNotRestoreEntryOfFinalExecution() {
        ExecutionRef ref = createAndAdvance(1);
        Held before = heldEntry();
        runner.endRun(run(ref), SimulatedRunner.RunState.SUCCEEDED);
        advanceUntilDone(ref);
        store.removeEntry(NODE);
        engine.restoreRemovedEntry(before, NOW);
        assertThat(store.storedEntries()).isEmpty();
    }

    @Test
    void recordsOutcomeAfterEntryWasRemoved() {
        ExecutionRef ref = createAndAdvance(1);
        long epoch = heldEntry().epoch();
        store.removeEntry(NODE);
        runner.endRun(run(ref), SimulatedRunner.RunState.SUCCEEDED);
        advanceUntilDone(ref);
        assertThat(status(ref)).isInstanceOf(ExecutionStatus.Completed.class);
        assertThat(store.latestEntry(NODE)).isInstanceOf(LedgerEntry.Free.class);
        assertThat(store.latestEntry(NODE).epoch()).isEqualTo(epoch);
        assertThat(store.latestEntry(NODE).memory().lastCompleted("repair")).isPresent();
    }

    @Test
    void failedStartCountsAsFirstFailure() {
        ExecutionRef ref = createAndAdvance(1);
        store.removeEntry(NODE);
        runner.endRun(run(ref), SimulatedRunner.RunState.FAILED_BEFORE);
        advanceUntilDone(ref);
        assertThat(((ExecutionStatus.Failed) status(ref)).outcome())
                .isInstanceOf(ExecutionOutcome.FailedBeforeExecution.class);
        assertThat(store.latestEntry(NODE).memory().consecutiveFailures(FailureScope.TARGET, "repair"))
                .isEqualTo(1);
    }

    @Test
    void staleReadOfFinalExecutionDoesNotReacquire() {
        ExecutionRef ref = createAndAdvance(1);
        Versioned<Execution> before = store.readExecution(ref).orElseThrow();
        runner.endRun(run(ref), SimulatedRunner.RunState.SUCCEEDED);
        advanceUntilDone(ref);
        store.removeEntry(NODE);
        assertThat(engine.advance(before, NOW)).isEqualTo(Requeue.IMMEDIATELY);
        assertThat(store.storedEntries()).isEmpty();
    }

    @Test
    void countsFailureDespiteStaleEntry() {
        ExecutionRef first = createAndAdvance(1);
        runner.endRun(run(first), SimulatedRunner.RunState.SUCCEEDED);
        advanceUntilDone(first);
        ExecutionRef ref = createAndAdvance(2, "other");
        runner.endRun(run(ref), SimulatedRunner.RunState.FAILED_BEFORE);
        staleReads = true;
        assertThat(advance(ref)).isEqualTo(Requeue.NEVER);
        assertThat(((ExecutionStatus.Failed) status(ref)).outcome())
                .isInstanceOf(ExecutionOutcome.FailedBeforeExecution.class);
    }

    @Test
    void doesNotSkipAsBlockedAfterClearance() {
        ExecutionRef first = createAndAdvance(1);
        runner.endRun(run(first), SimulatedRunner.RunState.FAILED_DURING);
        advanceUntilDone(first);
        service.clear(NODE, new Clearance("anna", "looked", NOW));
        staleReads = true;
        ExecutionRef second = createAndAdvance(2);
        assertThat(status(second)).isInstanceOf(ExecutionStatus.Pending.class);
        staleReads = false;
        advance(second);
        assertThat(status(second)).isInstanceOf(ExecutionStatus.Running.class);
    }

    @Test
    void startsSuspendedRunAfterEntryIsRestored() {
        rejectStarts = true;
        ExecutionRef ref = createAndAdvance(1);
        rejectStarts = false;
        store.removeEntry(NODE);
        assertThat(advance(ref)).isEqualTo(Requeue.ON_CHANGE);
        assertThat(heldEntry().holder().execution()).isEqualTo(ref);
        assertThat(run(ref).state).isEqualTo(SimulatedRunner.RunState.RUNNING);
    }

    @Test
    void suspendedRunOfRunningExecutionKeepsItsTarget() {
        rejectStarts = true;
        ExecutionRef ref = createAndAdvance(1);
        rejectStarts = false;
        store.removeEntry(NODE);
        ExecutionRef second = createAndAdvance(2);
        advanceUntilDone(second);
        advanceUntilDone(ref);
        assertThat(status(second)).isInstanceOf(ExecutionStatus.Skipped.class);
        assertThat(run(ref).state).isEqualTo(SimulatedRunner.RunState.RUNNING);
    }

    /** An engine that was paused after its acquisition must not record an execution that has lost its entry. */
    @Test
    void pendingExecutionThatLostItsEntryIsSkipped() {
        ExecutionRef first = new ExecutionRef("ops", "e1", "uid-1");
        service.create(Execution.pending(first, NOW, ExecutionSpec.of("repair", "node/a", Map.of())));
        Fiber paused = new Fiber(() -> advance(first));
        while (!(store.latestEntry(NODE) instanceof Held)) {
            paused.step();
        }
        store.removeEntry(NODE);
        ExecutionRef second = createAndAdvance(2);
        assertThat(status(first)).isInstanceOf(ExecutionStatus.Skipped.class);
        assertThat(status(second)).isInstanceOf(ExecutionStatus.Running.class);
        boolean finished = false;
        while (!finished) {
            finished = paused.step();
        }
        advanceUntilDone(first);
        assertThat(runner.runs).containsOnlyKeys(second);
    }

    @Test
    void completionTimeIsNotBeforeStartTime() {
        ExecutionRef ref = createAndAdvance(1);
        ExecutionStatus.Running running = (ExecutionStatus.Running) status(ref);
        Instant earlier = running.startTime().minusMillis(700);
        assertThat(running.toCompleted(running.progress(), earlier).completionTime())
                .isEqualTo(running.startTime());
    }
}
