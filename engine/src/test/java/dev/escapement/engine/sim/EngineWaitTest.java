package dev.escapement.engine.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.Engine;
import dev.escapement.engine.Requeue;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionSpec;
import dev.escapement.engine.execution.ExecutionSpec.ConflictSettings;
import dev.escapement.engine.execution.ExecutionSpec.OnConflict;
import dev.escapement.engine.execution.ExecutionStatus;
import dev.escapement.engine.execution.ExecutionStatus.PendingReason;
import dev.escapement.engine.port.StoreWrite;
import dev.escapement.engine.request.ExecutionService;
import dev.escapement.governor.Policy;
import dev.escapement.governor.Target;
import dev.escapement.governor.gate.GateDecision;
import dev.escapement.governor.gate.SkipReason;
import dev.escapement.governor.ledger.Clearance;
import dev.escapement.governor.ledger.ExecutionRef;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Executions that wait, without faults. */
class EngineWaitTest {

    private static final Target NODE = Target.parse("node/a");
    private static final Instant START = Instant.parse("2026-11-15T12:00:00Z");

    private final SimulationInvariants invariants = new SimulationInvariants(Policy.DEFAULT);
    private int writes;
    private final SimulatedStore store = new SimulatedStore(new SplittableRandom(1), true, invariants) {
        @Override
        int chooseVersion(int count) {
            return count - 1;
        }

        @Override
        public boolean apply(List<StoreWrite> applied) {
            writes++;
            return super.apply(applied);
        }
    };
    private Instant now = START;
    private final SimulatedRunner runner = new SimulatedRunner(new SplittableRandom(1), invariants, () -> now);
    private final Engine engine = new Engine(store, runner, () -> Policy.DEFAULT);
    private final ExecutionService service = new ExecutionService(store, store.queries(), () -> Policy.DEFAULT);

    private ExecutionRef create(String name, String workflow, Optional<Duration> waitFor) {
        ExecutionRef ref = new ExecutionRef("ops", name, "uid-" + name);
        ExecutionSpec spec = ExecutionSpec.of(workflow, "node/a", Map.of())
                .withConflict(waitFor.map(time -> new ConflictSettings(Optional.of(OnConflict.Wait), waitFor))
                        .orElse(ConflictSettings.DEFAULT));
        service.create(Execution.pending(ref, now, spec));
        return ref;
    }

    private ExecutionRef createWaiting(String name, String workflow) {
        return create(name, workflow, Optional.of(Duration.ofMinutes(10)));
    }

    private Requeue advance(ExecutionRef ref) {
        return engine.advance(store.readExecution(ref).orElseThrow(), now);
    }

    private ExecutionStatus status(ExecutionRef ref) {
        return store.readExecution(ref).orElseThrow().value().status();
    }

    private SkipReason skipReason(ExecutionRef ref) {
        return ((ExecutionStatus.Skipped) status(ref)).details().reason();
    }

    /** Starts an execution that holds the target. */
    private ExecutionRef startHolder(String workflow) {
        ExecutionRef holder = create("holder", workflow, Optional.empty());
        advance(holder);
        assertThat(status(holder)).isInstanceOf(ExecutionStatus.Running.class);
        return holder;
    }

    private void finish(ExecutionRef ref, SimulatedRunner.RunState end) {
        runner.endRun(Objects.requireNonNull(runner.runs.get(ref)), end);
        advance(ref);
    }

    @Test
    void waitIsWrittenOnceAndNamesItsDeadline() {
        startHolder("reboot");
        ExecutionRef waiting = createWaiting("w1", "clean");
        writes = 0;
        Requeue next = advance(waiting);
        assertThat(next.deadline()).hasValue(START.plus(Duration.ofMinutes(10)));
        assertThat(writes).isEqualTo(1);
        assertThat(((ExecutionStatus.Pending) status(waiting)).details()).hasValueSatisfying(details -> {
            assertThat(details.reason()).isEqualTo(PendingReason.Waiting);
            assertThat(details.until()).hasValue(START.plus(Duration.ofMinutes(10)));
            assertThat(details.message()).contains("held by execution ops/holder");
        });
        now = now.plusSeconds(60);
        for (int i = 0; i < 100; i++) {
            assertThat(advance(waiting).deadline()).isEqualTo(next.deadline());
        }
        assertThat(writes).describedAs("writes while it waits").isEqualTo(1);
    }

    @Test
    void oldestIsAdmittedFirstWhenTargetIsReleased() {
        ExecutionRef holder = startHolder("reboot");
        ExecutionRef first = createWaiting("w1", "clean");
        now = now.plusSeconds(1);
        ExecutionRef second = createWaiting("w2", "scale");
        advance(second);
        advance(first);
        finish(holder, SimulatedRunner.RunState.SUCCEEDED);
        advance(second);
        assertThat(status(second)).isInstanceOf(ExecutionStatus.Pending.class);
        advance(first);
        assertThat(status(first)).isInstanceOf(ExecutionStatus.Running.class);
        advance(second);
        assertThat(status(second)).isInstanceOf(ExecutionStatus.Pending.class);
        finish(first, SimulatedRunner.RunState.SUCCEEDED);
        advance(second);
        assertThat(status(second)).isInstanceOf(ExecutionStatus.Running.class);
    }

    @Test
    void newRequestDoesNotOvertakeInTheInstantOfTheRelease() {
        ExecutionRef holder = startHolder("reboot");
        ExecutionRef waiting = createWaiting("w1", "clean");
        advance(waiting);
        finish(holder, SimulatedRunner.RunState.SUCCEEDED);
        now = now.plusSeconds(1);
        ExecutionRef waitingToo = createWaiting("w2", "scale");
        advance(waitingToo);
        assertThat(status(waitingToo)).isInstanceOf(ExecutionStatus.Pending.class);
        ExecutionRef notWaiting = create("n1", "scale", Optional.empty());
        advance(notWaiting);
        assertThat(skipReason(notWaiting)).isEqualTo(SkipReason.ResourceBusy);
        advance(waiting);
        assertThat(status(waiting)).isInstanceOf(ExecutionStatus.Running.class);
    }

    @Test
    void isSkippedAtDeadlineWithReasonThatStillHolds() {
        startHolder("reboot");
        ExecutionRef waiting = createWaiting("w1", "clean");
        advance(waiting);
        now = START.plus(Duration.ofMinutes(10)).minusNanos(1);
        advance(waiting);
        assertThat(status(waiting)).isInstanceOf(ExecutionStatus.Pending.class);
        now = START.plus(Duration.ofMinutes(10));
        advance(waiting);
        assertThat(skipReason(waiting)).isEqualTo(SkipReason.ResourceBusy);
    }

    /** Nobody decided it in time, for example because no server ran. */
    @Test
    void isNotAdmittedAfterDeadlineOnFreeTarget() {
        ExecutionRef holder = startHolder("reboot");
        ExecutionRef waiting = createWaiting("w1", "clean");
        advance(waiting);
        finish(holder, SimulatedRunner.RunState.SUCCEEDED);
        now = START.plus(Duration.ofMinutes(11));
        advance(waiting);
        assertThat(skipReason(waiting)).isEqualTo(SkipReason.WaitExpired);
    }

    @Test
    void isSkippedAtOnceWhenHolderBreaksTarget() {
        ExecutionRef holder = startHolder("reboot");
        ExecutionRef waiting = createWaiting("w1", "clean");
        advance(waiting);
        finish(holder, SimulatedRunner.RunState.FAILED_DURING);
        advance(waiting);
        assertThat(skipReason(waiting)).isEqualTo(SkipReason.PreviousExecutionFailed);
        service.clear(NODE, new Clearance("anna", "looked", now));
        ExecutionRef next = createWaiting("w2", "clean");
        advance(next);
        assertThat(status(next)).isInstanceOf(ExecutionStatus.Running.class);
    }

    @Test
    void cancellationAndDeletionEndTheWait() {
        startHolder("reboot");
        ExecutionRef cancelled = createWaiting("w1", "clean");
        advance(cancelled);
        service.cancel("ops", "w1", "anna", now);
        advance(cancelled);
        assertThat(status(cancelled)).isInstanceOf(ExecutionStatus.Failed.class);
        ExecutionRef deleted = createWaiting("w2", "clean");
        advance(deleted);
        assertThat(service.delete("ops", "w2", "anna", now)).isPresent();
        assertThat(store.readWaiting(NODE)).isEmpty();
    }

    @Test
    void cooldownIsWaitedForToItsEnd() {
        ExecutionRef holder = startHolder("clean");
        finish(holder, SimulatedRunner.RunState.SUCCEEDED);
        ExecutionRef waiting = createWaiting("w1", "clean");
        assertThat(advance(waiting).deadline()).hasValue(START.plus(Duration.ofMinutes(5)));
        now = START.plus(Duration.ofMinutes(5));
        advance(waiting);
        assertThat(status(waiting)).isInstanceOf(ExecutionStatus.Running.class);
    }

    @Test
    void explainsThatItWouldWaitAndBehindHowMany() {
        startHolder("reboot");
        advance(createWaiting("w1", "clean"));
        GateDecision decision = service.explain("scale", NODE, Optional.of(Duration.ofMinutes(3)), now);
        assertThat(decision).isInstanceOf(GateDecision.Wait.class);
        assertThat(((GateDecision.Wait) decision).ahead()).isEqualTo(1);
        assertThat(((GateDecision.Wait) decision).until()).isEqualTo(START.plus(Duration.ofMinutes(3)));
        assertThat(service.explain("scale", NODE, now)).isInstanceOf(GateDecision.Skip.class);
    }
}
