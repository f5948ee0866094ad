package dev.escapement.engine.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.Engine;
import dev.escapement.engine.Next;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionSpec;
import dev.escapement.engine.execution.Progress;
import dev.escapement.engine.execution.RunRef;
import dev.escapement.engine.execution.Status;
import dev.escapement.engine.port.Write;
import dev.escapement.engine.request.Requests;
import dev.escapement.governor.FailureScope;
import dev.escapement.governor.Policy;
import dev.escapement.governor.Target;
import dev.escapement.governor.gate.SkipReason;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.LedgerEntry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** One execution at a time, in a world without faults: what is written, in which order, and how often. */
class EngineTest {

    private static final Target NODE = Target.parse("node/a");
    private static final Instant NOW = Instant.parse("2026-11-15T12:00:00Z");

    private final List<List<Write>> applied = new ArrayList<>();
    private final History history = new History(Policy.DEFAULT);
    private final SimulatedStore store = new SimulatedStore(new SplittableRandom(1), true, history) {
        @Override
        int someVersion(int count) {
            return count - 1;
        }

        @Override
        public boolean apply(List<Write> writes) {
            applied.add(writes);
            return super.apply(writes);
        }
    };
    private final SimulatedRunner runner = new SimulatedRunner(new SplittableRandom(1), history, () -> NOW);
    private final Engine engine = new Engine(store, runner, () -> Policy.DEFAULT);
    private final Requests requests = new Requests(store, store.directory(), () -> Policy.DEFAULT);

    private ExecutionRef ask(int number, String workflow, String target) {
        ExecutionRef ref = new ExecutionRef("ops", "e" + number, "uid-" + number);
        requests.create(Execution.pending(ref, NOW, ExecutionSpec.of(workflow, target, Map.of())));
        applied.clear();
        return ref;
    }

    private Next advance(ExecutionRef ref) {
        return engine.advance(store.execution(ref).orElseThrow(), NOW);
    }

    private Status status(ExecutionRef ref) {
        return store.execution(ref).orElseThrow().value().status();
    }

    private SimulatedRunner.Run run(ExecutionRef ref) {
        return Objects.requireNonNull(runner.runs.get(ref));
    }

    @Test
    void ofARunThatGoesOnElsewhereNothingIsWritten() {
        ExecutionRef ref = ask(1, "repair", "node/a");
        advance(ref);
        applied.clear();
        SimulatedRunner elsewhere = new SimulatedRunner(new SplittableRandom(1), history, () -> NOW) {
            @Override
            public Observation observe(RunRef run) {
                return new Observation.Going(Progress.NONE);
            }
        };
        Engine other = new Engine(store, elsewhere, () -> Policy.DEFAULT);
        assertThat(other.advance(store.execution(ref).orElseThrow(), NOW)).isEqualTo(Next.ON_CHANGE);
        assertThat(applied).isEmpty();
    }

    @Test
    void aSuccessTakesTwoTransactions() {
        ExecutionRef ref = ask(1, "repair", "node/a");
        assertThat(advance(ref)).isEqualTo(Next.ON_CHANGE);
        assertThat(status(ref)).isInstanceOf(Status.Running.class);
        assertThat(run(ref).state).isEqualTo(SimulatedRunner.State.GOING);
        assertThat(store.current(NODE).heldBy(ref).orElseThrow().holder().run())
                .isEqualTo(run(ref).ref.uid());

        runner.end(run(ref), SimulatedRunner.State.SUCCEEDED);
        assertThat(advance(ref)).isEqualTo(Next.DONE);
        assertThat(status(ref)).isInstanceOf(Status.Completed.class);
        assertThat(store.current(NODE)).isInstanceOf(LedgerEntry.Free.class);
        assertThat(advance(ref)).isEqualTo(Next.DONE);

        assertThat(applied).hasSize(2);
        assertThat(applied.get(0))
                .extracting(write -> write.getClass().getSimpleName())
                .containsExactly("Entry", "StatusOf");
        assertThat(applied.get(1))
                .extracting(write -> write.getClass().getSimpleName())
                .containsExactly("StatusOf", "Entry");
    }

    @Test
    void waitingCostsNoWrites() {
        ExecutionRef ref = ask(1, "repair", "node/a");
        advance(ref);
        int before = applied.size();
        for (int i = 0; i < 5; i++) {
            assertThat(advance(ref)).isEqualTo(Next.ON_CHANGE);
        }
        assertThat(applied).hasSize(before);
        run(ref).tasksDone = 1;
        advance(ref);
        assertThat(applied).hasSize(before + 1);
    }

    @Test
    void aSkipTakesOneWriteAndNamesTheHolder() {
        ExecutionRef first = ask(1, "repair", "node/a");
        ExecutionRef second = ask(2, "other", "Node/a");
        advance(first);
        applied.clear();
        advance(second);
        assertThat(applied).hasSize(1);
        Status.SkipDetails details = ((Status.Skipped) status(second)).details();
        assertThat(details.reason()).isEqualTo(SkipReason.ResourceBusy);
        assertThat(details.conflicting().orElseThrow().execution()).isEqualTo(first);
        assertThat(advance(second)).isEqualTo(Next.DONE);
    }

    @Test
    void aHolderThatIsFinalDoesNotMakeOthersWait() {
        ExecutionRef first = ask(1, "repair", "node/a");
        advance(first);
        runner.end(run(first), SimulatedRunner.State.SUCCEEDED);
        // The engine dies between the final status and the release.
        Execution running = store.execution(first).orElseThrow().value();
        store.apply(List.of(new Write.StatusOf(
                store.execution(first).orElseThrow(),
                ((Status.Running) running.status()).complete(((Status.Running) running.status()).progress(), NOW))));
        assertThat(store.current(NODE).heldBy(first)).isPresent();
        ExecutionRef second = ask(2, "other", "node/a");
        advance(second);
        assertThat(status(second)).isInstanceOf(Status.Running.class);
        assertThat(store.current(NODE).memory().completed("repair")).isPresent();
    }

    @Test
    void whatCannotBePreparedCountsAndFreesTheTarget() {
        ExecutionRef ref = ask(1, "missing", "node/a");
        assertThat(advance(ref)).isEqualTo(Next.AGAIN);
        Status.Failed failed = (Status.Failed) status(ref);
        assertThat(failed.failure().wasExecutionFailure()).isFalse();
        assertThat(advance(ref)).isEqualTo(Next.DONE);
        assertThat(store.current(NODE)).isInstanceOf(LedgerEntry.Free.class);
        assertThat(store.current(NODE).memory().failures(FailureScope.TARGET, "missing"))
                .isEqualTo(1);
    }

    @Test
    void aRunThatFailsBeforeAnyStepCountsAndBlocksNothing() {
        ExecutionRef ref = ask(1, "repair", "node/a");
        advance(ref);
        runner.end(run(ref), SimulatedRunner.State.FAILED_BEFORE);
        assertThat(advance(ref)).isEqualTo(Next.DONE);
        assertThat(((Status.Failed) status(ref)).failure().wasExecutionFailure())
                .isFalse();
        assertThat(store.current(NODE).memory().failures(FailureScope.TARGET, "repair"))
                .isEqualTo(1);
        assertThat(store.current(NODE).memory().block(FailureScope.TARGET, "repair"))
                .isEmpty();
    }

    @Test
    void whatIsNoTargetFailsWithoutTouchingAnyLedger() {
        ExecutionRef ref = ask(1, "repair", "not a target");
        advance(ref);
        Status.Failed failed = (Status.Failed) status(ref);
        assertThat(failed.failure().reason().name()).isEqualTo("ValidationError");
        assertThat(failed.failure().message()).contains("not a target").contains("namespace/kind/name");
        assertThat(store.kept()).isEmpty();
        assertThat(advance(ref)).isEqualTo(Next.DONE);
    }

    @Test
    void aDeletedHolderIsStoppedAndBlocksUntilAPersonLooks() {
        ExecutionRef ref = ask(1, "repair", "node/a");
        advance(ref);
        requests.delete("ops", ref.name(), "anna", NOW);
        assertThat(engine.deleted(ref, NODE, NOW)).isEqualTo(Next.ON_CHANGE);
        ExecutionRef meanwhile = ask(3, "repair", "node/a");
        advance(meanwhile);
        assertThat(((Status.Skipped) status(meanwhile)).details().reason()).isEqualTo(SkipReason.ResourceBusy);
        assertThat(runner.runs.values()).allMatch(run -> run.stopping);
        runner.end(run(ref), SimulatedRunner.State.FAILED_DURING);
        assertThat(engine.heal(NODE, NOW)).isEqualTo(Next.DONE);
        assertThat(store.current(NODE).memory().block(FailureScope.TARGET, "x")).isPresent();
        ExecutionRef next = ask(2, "repair", "node/a");
        advance(next);
        assertThat(((Status.Skipped) status(next)).details().reason()).isEqualTo(SkipReason.PreviousExecutionFailed);
    }

    @Test
    void aCancelledExecutionIsStoppedOrNeverStarted() {
        ExecutionRef waiting = ask(1, "repair", "node/a");
        requests.cancel("ops", waiting.name(), "anna", NOW);
        advance(waiting);
        assertThat(((Status.Failed) status(waiting)).failure().reason().name()).isEqualTo("Cancelled");
        assertThat(store.kept()).isEmpty();

        ExecutionRef going = ask(2, "repair", "node/a");
        advance(going);
        requests.cancel("ops", going.name(), "anna", NOW);
        advance(going);
        assertThat(run(going).stopping).isTrue();
        runner.end(run(going), SimulatedRunner.State.FAILED_DURING);
        advance(going);
        assertThat(((Status.Failed) status(going)).failure().wasExecutionFailure())
                .isTrue();
    }

    @Test
    void whatIsCancelledBetweenItsRecordAndItsStartIsNotStarted() {
        ExecutionRef ref = ask(1, "repair", "node/a");
        SimulatedRunner deaf = new SimulatedRunner(new SplittableRandom(1), history, () -> NOW) {
            @Override
            boolean mayStart(Run run, String version) {
                return false;
            }
        };
        new Engine(store, deaf, () -> Policy.DEFAULT)
                .advance(store.execution(ref).orElseThrow(), NOW);
        runner.runs.putAll(deaf.runs);
        assertThat(status(ref)).isInstanceOf(Status.Running.class);
        requests.cancel("ops", ref.name(), "anna", NOW);
        assertThat(advance(ref)).isEqualTo(Next.DONE);
        Status.Failed failed = (Status.Failed) status(ref);
        assertThat(failed.failure().reason().name()).isEqualTo("Cancelled");
        assertThat(failed.failure().wasExecutionFailure()).isFalse();
        assertThat(runner.runs).isEmpty();
        assertThat(store.current(NODE).memory().isEmpty()).isTrue();
        assertThat(store.current(NODE)).isInstanceOf(LedgerEntry.Free.class);
    }

    @Test
    void theSecondLookSeesACancellationToo() {
        ExecutionRef ref = ask(1, "repair", "node/a");
        var old = store.execution(ref).orElseThrow();
        requests.cancel("ops", ref.name(), "anna", NOW);
        assertThat(engine.advance(old, NOW)).isEqualTo(Next.AGAIN);
        assertThat(runner.runs).isEmpty();
        assertThat(advance(ref)).isEqualTo(Next.AGAIN);
        assertThat(((Status.Failed) status(ref)).failure().reason().name()).isEqualTo("Cancelled");
    }
}
