package dev.escapement.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.RunProgress;
import dev.escapement.engine.execution.RunRef;
import dev.escapement.engine.port.WorkflowRunner;
import dev.escapement.governor.Policy;
import dev.escapement.governor.failure.RunFacts;
import dev.escapement.governor.ledger.ExecutionRef;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RunLimitsTest {

    private static final Instant FAILED_AT = Instant.parse("2026-11-15T12:00:00Z");
    private static final Instant REMOVE_AT = FAILED_AT.plus(Policy.DEFAULT.executorTimeout());
    private static final RunRef RUN = new RunRef("pipelinerun/runs/r1", "uid-r1");

    /** The executor has ended the run and left a part of it active. */
    private static final WorkflowRunner.Observation.Running LEFT_ACTIVE = new WorkflowRunner.Observation.Running(
            RunProgress.UNKNOWN, Optional.of(FAILED_AT), Optional.of(FAILED_AT), Optional.empty());

    private final FixedRunner runner = new FixedRunner();

    private RunLimits limitsAt(Instant now) {
        return new RunLimits(runner, Policy.DEFAULT, now);
    }

    @Test
    void removesRunThatItsExecutorEndedAndLeftActive() {
        assertThat(limitsAt(REMOVE_AT.minusNanos(1))
                        .enforce(RUN, LEFT_ACTIVE, Optional.empty())
                        .deadline())
                .contains(REMOVE_AT);
        assertThat(runner.calls).isEmpty();

        assertThat(limitsAt(REMOVE_AT).enforce(RUN, LEFT_ACTIVE, Optional.empty()))
                .isEqualTo(Requeue.IMMEDIATELY);
        assertThat(runner.calls).containsExactly("removeStarted");
    }

    @Test
    void cancelledRunThatItsExecutorEndedHasTheSameLimit() {
        assertThat(limitsAt(FAILED_AT)
                        .enforce(RUN, LEFT_ACTIVE, Optional.of("anna"))
                        .deadline())
                .contains(REMOVE_AT);
    }

    @Test
    void looksAgainAtRunThatEndedBeforeItWasRemoved() {
        runner.removable = false;

        assertThat(limitsAt(REMOVE_AT)
                        .enforce(RUN, LEFT_ACTIVE, Optional.empty())
                        .deadline())
                .contains(REMOVE_AT);
    }

    @Test
    void withdrawsRunThatNobodyPickedUp() {
        runner.observation = new WorkflowRunner.Observation.Stalled("7", FAILED_AT, Optional.empty());

        assertThat(limitsAt(FAILED_AT).stop(RUN, "another execution on its target"))
                .isEqualTo(Requeue.IMMEDIATELY);
        assertThat(runner.calls).containsExactly("withdraw 7");
    }

    /** Records what is requested of one run. */
    private static final class FixedRunner implements WorkflowRunner {

        private final List<String> calls = new ArrayList<>();
        private Observation observation = LEFT_ACTIVE;
        private boolean removable = true;

        @Override
        public Preparation prepare(Execution execution) {
            throw new AssertionError("unexpected prepare");
        }

        @Override
        public boolean start(RunRef run, String version, long epoch) {
            throw new AssertionError("unexpected start");
        }

        @Override
        public Observation observe(RunRef run) {
            return observation;
        }

        @Override
        public void stop(RunRef run, String actor) {
            calls.add("stop");
        }

        @Override
        public boolean removeStarted(RunRef run) {
            calls.add("removeStarted");
            return removable;
        }

        @Override
        public Withdrawal withdraw(RunRef run, String version, RunFacts facts) {
            calls.add("withdraw " + version);
            return Withdrawal.MARKED;
        }

        @Override
        public boolean remove(RunRef run, String version) {
            throw new AssertionError("unexpected remove");
        }

        @Override
        public void removeSuspended(ExecutionRef execution) {
            throw new AssertionError("unexpected removeSuspended");
        }
    }
}
