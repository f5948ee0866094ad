package dev.escapement.engine.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.engine.Engine;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionStatus;
import dev.escapement.engine.execution.ExecutionStatus.Failed;
import dev.escapement.engine.execution.ExecutionStatus.Pending;
import dev.escapement.engine.execution.ExecutionStatus.PendingDetails;
import dev.escapement.engine.execution.ExecutionStatus.PendingReason;
import dev.escapement.engine.execution.RunRef;
import dev.escapement.engine.port.ExecutorUnavailableException;
import dev.escapement.governor.Policy;
import dev.escapement.governor.failure.FailureReason;
import dev.escapement.governor.failure.RunFacts;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The limits of an execution whose executor does not accept its run or does not pick it up. */
class ExecutorOutageTest extends ExecutorOutageScenario {

    @Test
    void retriesShortInterruptionWithoutWrite() {
        runner.setAccepting(false);
        pass(Duration.ofSeconds(4));
        assertThatThrownBy(this::advance).isInstanceOf(ExecutorUnavailableException.class);
        assertThat(writes).isEmpty();

        runner.setAccepting(true);
        advance();
        assertThat(status()).isInstanceOf(ExecutionStatus.Running.class);
    }

    @Test
    void storesSinceWhenAndUntilWhenItIsDelayed() {
        runner.setAccepting(false);
        pass(Duration.ofSeconds(5));
        Instant since = now;

        assertThat(advance().deadline()).contains(since.plusSeconds(1));
        PendingDetails expected = new PendingDetails(
                PendingReason.ExecutorUnavailable,
                "the executor is unavailable: no webhook",
                since,
                Optional.of(since.plus(LIMIT)));
        assertThat(status()).isEqualTo(new Pending(Optional.of(expected)));

        pass(Duration.ofSeconds(30));
        writes.clear();
        assertThat(advance().deadline()).contains(now.plusSeconds(10));
        pass(LIMIT.minusSeconds(31));
        assertThat(advance().deadline()).as("the limit is a wake-up").contains(since.plus(LIMIT));
        assertThat(writes).isEmpty();
    }

    @Test
    void failsBeforeExecutionWhenExecutorStaysUnavailable() {
        runner.setAccepting(false);
        pass(Duration.ofSeconds(5));
        advance();
        pass(LIMIT);

        advanceUntilDone();

        Failed failed = assertFailedBefore(FailureReason.PipelineRunCreationFailed);
        assertThat(failed.failure().message()).isEqualTo("the executor is unavailable: no webhook");
        assertCountedWithBackoff();
    }

    @Test
    void runsWhenExecutorReturnsBeforeLimit() {
        runner.setAccepting(false);
        pass(Duration.ofSeconds(5));
        advance();
        pass(LIMIT);
        runner.setAccepting(true);

        advance();

        assertThat(status()).isInstanceOf(ExecutionStatus.Running.class);
    }

    /** The executor goes away after the run was prepared and before it is started. */
    @Test
    void removesPreparedRunThatCannotBeStarted() {
        var unstartable = new SimulatedRunner(new SplittableRandom(1), invariants, () -> now) {
            @Override
            public Preparation prepare(Execution execution) {
                Preparation ready = super.prepare(execution);
                setAccepting(false);
                return ready;
            }
        };
        Engine other = new Engine(store, unstartable, () -> Policy.DEFAULT);
        assertThatThrownBy(() -> other.advance(store.readExecution(ref).orElseThrow(), now))
                .isInstanceOf(ExecutorUnavailableException.class);
        assertThat(status()).isInstanceOf(ExecutionStatus.Running.class);
        pass(LIMIT);

        for (int i = 0; i < 3; i++) {
            other.advance(store.readExecution(ref).orElseThrow(), now);
        }

        assertFailedBefore(FailureReason.PipelineRunCreationFailed);
        assertCountedWithBackoff();
        assertThat(unstartable.runs).isEmpty();
    }

    @Test
    void withdrawsRunThatIsNotPickedUp() {
        runner.working = false;
        advance();
        assertThat(advance().deadline()).contains(CREATED.plus(Policy.DEFAULT.pickupTimeout()));
        pass(Policy.DEFAULT.pickupTimeout());

        advanceUntilDone();

        assertFailedBefore(FailureReason.PipelineRunCreationFailed);
        assertCountedWithBackoff();
        runner.working = true;
        runner.advanceRuns();
        assertThat(run().pickedUp).isFalse();
    }

    /** Neither webhook nor controller: the run can only be removed. */
    @Test
    void removesRunThatIsNotPickedUpAndCannotBeChanged() {
        runner.working = false;
        advance();
        runner.setAccepting(false);
        pass(Policy.DEFAULT.pickupTimeout());

        advanceUntilDone();

        assertFailedBefore(FailureReason.PipelineRunCreationFailed);
        assertThat(runner.runs).isEmpty();
    }

    /** The executor returns between the last look and the withdrawal. */
    @Test
    void doesNotWithdrawRunThatIsPickedUpMeanwhile() {
        var racing = new SimulatedRunner(new SplittableRandom(1), invariants, () -> now) {
            @Override
            public Withdrawal withdraw(RunRef run, String version, RunFacts facts) {
                working = true;
                advanceRuns();
                return super.withdraw(run, version, facts);
            }
        };
        racing.working = false;
        Engine other = new Engine(store, racing, () -> Policy.DEFAULT);
        other.advance(store.readExecution(ref).orElseThrow(), now);
        pass(Policy.DEFAULT.pickupTimeout());

        other.advance(store.readExecution(ref).orElseThrow(), now);

        assertThat(status()).isInstanceOf(ExecutionStatus.Running.class);
        assertThat(store.latestEntry(NODE).heldBy(ref)).isPresent();
    }
}
