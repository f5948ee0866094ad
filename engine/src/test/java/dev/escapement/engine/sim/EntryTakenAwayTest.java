package dev.escapement.engine.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.Engine;
import dev.escapement.engine.Next;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionSpec;
import dev.escapement.engine.execution.Status;
import dev.escapement.engine.port.Versioned;
import dev.escapement.engine.request.Requests;
import dev.escapement.governor.FailureScope;
import dev.escapement.governor.Policy;
import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.Clearance;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.ledger.LedgerEntry.Held;
import dev.escapement.governor.ledger.Outcome;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** On a cluster anybody with the right to do so can delete the entry of a target while somebody works on it. */
class EntryTakenAwayTest {

    private static final Target NODE = Target.parse("node/a");
    private static final Instant NOW = Instant.parse("2026-11-15T12:00:00Z");

    /** Two may work at once while the entry is away; that is what whoever takes it away has chosen. */
    private final History history = History.unjudged(Policy.DEFAULT);

    private boolean old;
    private final SimulatedStore store = new SimulatedStore(new SplittableRandom(1), false, history) {
        @Override
        int someVersion(int count) {
            return Math.max(0, count - (old ? 2 : 1));
        }
    };
    private boolean deaf;
    private final SimulatedRunner runner = new SimulatedRunner(new SplittableRandom(1), history, () -> NOW) {
        @Override
        boolean mayStart(Run run, String version) {
            return !deaf && super.mayStart(run, version);
        }
    };
    private final Engine engine = new Engine(store, runner, () -> Policy.DEFAULT);
    private final Requests requests = new Requests(store, store.directory(), () -> Policy.DEFAULT);

    private ExecutionRef begun(int number) {
        return begun(number, "repair");
    }

    private ExecutionRef begun(int number, String workflow) {
        ExecutionRef ref = new ExecutionRef("ops", "e" + number, "uid-" + number);
        requests.create(Execution.pending(ref, NOW, ExecutionSpec.of(workflow, "node/a", Map.of())));
        advance(ref);
        return ref;
    }

    private Next advance(ExecutionRef ref) {
        return engine.advance(store.execution(ref).orElseThrow(), NOW);
    }

    private void advanceToTheEnd(ExecutionRef ref) {
        for (int look = 0; look < 5 && advance(ref) == Next.AGAIN; look++) {
            // Again, as whoever drives the engine does.
        }
    }

    private Status status(ExecutionRef ref) {
        return store.execution(ref).orElseThrow().value().status();
    }

    private SimulatedRunner.Run run(ExecutionRef ref) {
        return Objects.requireNonNull(runner.runs.get(ref));
    }

    private Held held() {
        return (Held) store.current(NODE);
    }

    @Test
    void whoeverStillWorksHoldsTheTargetAsBefore() {
        begun(1);
        Held before = held();
        store.takeAway(NODE);
        engine.removed(before, NOW);
        assertThat(store.current(NODE)).isEqualTo(before);
    }

    @Test
    void whatSomebodyElseHasTakenMeanwhileIsNotTakenFromThem() {
        begun(1);
        Held before = held();
        store.takeAway(NODE);
        ExecutionRef second = begun(2);
        engine.removed(before, NOW);
        assertThat(held().holder().execution()).isEqualTo(second);
    }

    @Test
    void forAnExecutionThatIsOverNothingIsPutBack() {
        ExecutionRef ref = begun(1);
        Held before = held();
        runner.end(run(ref), SimulatedRunner.State.SUCCEEDED);
        advanceToTheEnd(ref);
        store.takeAway(NODE);
        engine.removed(before, NOW);
        assertThat(store.kept()).isEmpty();
    }

    @Test
    void anEndThatNobodyCouldRememberIsRememberedAllTheSame() {
        ExecutionRef ref = begun(1);
        long epoch = held().epoch();
        store.takeAway(NODE);
        runner.end(run(ref), SimulatedRunner.State.SUCCEEDED);
        advanceToTheEnd(ref);
        assertThat(status(ref)).isInstanceOf(Status.Completed.class);
        assertThat(store.current(NODE)).isInstanceOf(LedgerEntry.Free.class);
        assertThat(store.current(NODE).epoch()).isEqualTo(epoch);
        assertThat(store.current(NODE).memory().completed("repair")).isPresent();
    }

    @Test
    void aFailureBeforeAnyStepCountsAsTheFirst() {
        ExecutionRef ref = begun(1);
        store.takeAway(NODE);
        runner.end(run(ref), SimulatedRunner.State.FAILED_BEFORE);
        advanceToTheEnd(ref);
        assertThat(((Status.Failed) status(ref)).outcome()).isInstanceOf(Outcome.FailedBeforeExecution.class);
        assertThat(store.current(NODE).memory().failures(FailureScope.TARGET, "repair"))
                .isEqualTo(1);
    }

    @Test
    void anOldViewOfAnExecutionThatIsOverTakesNothingBack() {
        ExecutionRef ref = begun(1);
        Versioned<Execution> before = store.execution(ref).orElseThrow();
        runner.end(run(ref), SimulatedRunner.State.SUCCEEDED);
        advanceToTheEnd(ref);
        store.takeAway(NODE);
        assertThat(engine.advance(before, NOW)).isEqualTo(Next.AGAIN);
        assertThat(store.kept()).isEmpty();
    }

    @Test
    void ifTheTargetIsSomebodyElsesAFailureBeforeAnyStepIsNotCounted() {
        ExecutionRef ref = begun(1);
        store.takeAway(NODE);
        ExecutionRef second = begun(2);
        runner.end(run(ref), SimulatedRunner.State.FAILED_BEFORE);
        advanceToTheEnd(ref);
        assertThat(((Status.Failed) status(ref)).outcome()).isEqualTo(new Outcome.Withdrawn());
        assertThat(held().holder().execution()).isEqualTo(second);
        assertThat(held().memory().isEmpty()).isTrue();
    }

    @Test
    void anOldViewOfTheEntryDoesNotMakeAFailureUncounted() {
        ExecutionRef first = begun(1);
        runner.end(run(first), SimulatedRunner.State.SUCCEEDED);
        advanceToTheEnd(first);
        ExecutionRef ref = begun(2, "other");
        runner.end(run(ref), SimulatedRunner.State.FAILED_BEFORE);
        old = true;
        assertThat(advance(ref)).isEqualTo(Next.DONE);
        assertThat(((Status.Failed) status(ref)).outcome()).isInstanceOf(Outcome.FailedBeforeExecution.class);
    }

    @Test
    void whoeverHasJustClearedATargetIsNotToldToClearIt() {
        ExecutionRef first = begun(1);
        runner.end(run(first), SimulatedRunner.State.FAILED_DURING);
        advanceToTheEnd(first);
        requests.clear(NODE, new Clearance("anna", "looked", NOW));
        old = true;
        ExecutionRef second = begun(2);
        assertThat(status(second)).isInstanceOf(Status.Pending.class);
        old = false;
        advance(second);
        assertThat(status(second)).isInstanceOf(Status.Running.class);
    }

    @Test
    void aRunThatWasNotStartedIsStartedOnceItsTargetIsBack() {
        deaf = true;
        ExecutionRef ref = begun(1);
        deaf = false;
        store.takeAway(NODE);
        assertThat(advance(ref)).isEqualTo(Next.AGAIN);
        assertThat(run(ref).state).isEqualTo(SimulatedRunner.State.SUSPENDED);
        assertThat(advance(ref)).isEqualTo(Next.ON_CHANGE);
        assertThat(run(ref).state).isEqualTo(SimulatedRunner.State.GOING);
    }

    @Test
    void aRunThatWasNotStartedAndHasLostItsTargetNeverStarts() {
        deaf = true;
        ExecutionRef ref = begun(1);
        deaf = false;
        store.takeAway(NODE);
        ExecutionRef second = begun(2);
        advanceToTheEnd(ref);
        Status.Failed failed = (Status.Failed) status(ref);
        assertThat(failed.outcome()).isEqualTo(new Outcome.Withdrawn());
        assertThat(failed.failure().wasExecutionFailure()).isFalse();
        assertThat(failed.failure().message()).contains("taken from it");
        assertThat(runner.runs).containsOnlyKeys(second);
    }

    @Test
    void noRunEndsBeforeItBegan() {
        ExecutionRef ref = begun(1);
        Status.Running running = (Status.Running) status(ref);
        Instant earlier = running.startTime().minusMillis(700);
        assertThat(running.complete(running.progress(), earlier).completionTime())
                .isEqualTo(running.startTime());
    }
}
