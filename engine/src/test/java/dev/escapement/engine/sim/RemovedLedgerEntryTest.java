package dev.escapement.engine.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.Engine;
import dev.escapement.engine.Requeue;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionSpec;
import dev.escapement.engine.execution.ExecutionStatus;
import dev.escapement.engine.port.Versioned;
import dev.escapement.engine.request.ExecutionService;
import dev.escapement.governor.FailureScope;
import dev.escapement.governor.Policy;
import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.Clearance;
import dev.escapement.governor.ledger.ExecutionOutcome;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.ledger.LedgerEntry.Held;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** A user can delete the ledger entry of a target while an execution holds it. */
class RemovedLedgerEntryTest {

    private static final Target NODE = Target.parse("node/a");
    private static final Instant NOW = Instant.parse("2026-11-15T12:00:00Z");

    /** Disabled: without the entry, two executions may run at once. */
    private final SimulationInvariants invariants = SimulationInvariants.disabled(Policy.DEFAULT);

    private boolean staleReads;
    private final SimulatedStore store = new SimulatedStore(new SplittableRandom(1), false, invariants) {
        @Override
        int chooseVersion(int count) {
            return Math.max(0, count - (staleReads ? 2 : 1));
        }
    };
    private boolean rejectStarts;
    private final SimulatedRunner runner = new SimulatedRunner(new SplittableRandom(1), invariants, () -> NOW) {
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
        createAndAdvance(1);
        Held before = heldEntry();
        store.removeEntry(NODE);
        ExecutionRef second = createAndAdvance(2);
        engine.restoreRemovedEntry(before, NOW);
        assertThat(heldEntry().holder().execution()).isEqualTo(second);
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
    void doesNotCountFailedStartOnTargetOfOtherHolder() {
        ExecutionRef ref = createAndAdvance(1);
        store.removeEntry(NODE);
        ExecutionRef second = createAndAdvance(2);
        runner.endRun(run(ref), SimulatedRunner.RunState.FAILED_BEFORE);
        advanceUntilDone(ref);
        assertThat(((ExecutionStatus.Failed) status(ref)).outcome()).isEqualTo(new ExecutionOutcome.Withdrawn());
        assertThat(heldEntry().holder().execution()).isEqualTo(second);
        assertThat(heldEntry().memory().isEmpty()).isTrue();
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
        assertThat(advance(ref)).isEqualTo(Requeue.IMMEDIATELY);
        assertThat(run(ref).state).isEqualTo(SimulatedRunner.RunState.SUSPENDED);
        assertThat(advance(ref)).isEqualTo(Requeue.ON_CHANGE);
        assertThat(run(ref).state).isEqualTo(SimulatedRunner.RunState.RUNNING);
    }

    @Test
    void doesNotStartSuspendedRunThatLostItsTarget() {
        rejectStarts = true;
        ExecutionRef ref = createAndAdvance(1);
        rejectStarts = false;
        store.removeEntry(NODE);
        ExecutionRef second = createAndAdvance(2);
        advanceUntilDone(ref);
        ExecutionStatus.Failed failed = (ExecutionStatus.Failed) status(ref);
        assertThat(failed.outcome()).isEqualTo(new ExecutionOutcome.Withdrawn());
        assertThat(failed.failure().wasExecutionFailure()).isFalse();
        assertThat(failed.failure().message()).contains("another execution acquired its target");
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
