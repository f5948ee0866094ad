package dev.escapement.engine.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.RunRef;
import dev.escapement.engine.port.WorkflowRunner;
import dev.escapement.engine.port.WorkflowRunner.Observation;
import dev.escapement.engine.port.WorkflowRunner.Preparation;
import dev.escapement.governor.failure.RunEnd;
import dev.escapement.governor.failure.StartStatus;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The contract of {@link WorkflowRunner}: a prepared run has no effect and starts at most once. */
public abstract class WorkflowRunnerContract {

    /** A runner and control over its runs. */
    public interface Fixture {

        WorkflowRunner runner();

        /** Returns the n-th execution. Its run is active until {@link #endRun}. */
        Execution execution(int number);

        Execution executionOfUnknownWorkflow();

        /** Returns the epoch that an active run passes to its target. */
        String epoch(RunRef run) throws Exception;

        /** Ends an active run and waits for its end. */
        void endRun(RunRef run, boolean success) throws Exception;

        /** Waits for the end of a run that was stopped. */
        void awaitStopped(RunRef run) throws Exception;
    }

    private static final long EPOCH = 1_763_300_000_007L;

    /** Opens a runner without runs. */
    protected abstract Fixture open() throws Exception;

    private Fixture fixture;
    private WorkflowRunner runner;

    @BeforeEach
    void openFixture() throws Exception {
        fixture = open();
        runner = fixture.runner();
    }

    private Preparation.Ready prepare(int number) {
        return (Preparation.Ready) runner.prepare(fixture.execution(number));
    }

    private RunRef prepareAndStart(int number) {
        Preparation.Ready ready = prepare(number);
        assertThat(runner.start(ready.run(), ready.version(), EPOCH)).isTrue();
        return ready.run();
    }

    @Test
    void preparedRunIsSuspended() {
        Preparation.Ready ready = prepare(1);
        assertThat(runner.observe(ready.run())).isEqualTo(new Observation.Suspended(ready.version()));
        assertThat(ready.progress().completedTasks()).isZero();
    }

    @Test
    void preparingTwiceReturnsSameRun() {
        assertThat(prepare(1)).isEqualTo(prepare(1));
    }

    @Test
    void executionsHaveSeparateRuns() {
        Preparation.Ready one = prepare(1);
        Preparation.Ready other = prepare(2);
        assertThat(one.run().uid()).isNotEqualTo(other.run().uid());
        assertThat(runner.start(one.run(), one.version(), EPOCH)).isTrue();
        assertThat(runner.observe(other.run())).isInstanceOf(Observation.Suspended.class);
    }

    @Test
    void refusesUnknownWorkflowAsNeverStarted() {
        Preparation preparation = runner.prepare(fixture.executionOfUnknownWorkflow());
        assertThat(preparation).isInstanceOfSatisfying(Preparation.Refused.class, refused -> {
            assertThat(refused.facts().end()).isEqualTo(RunEnd.INVALID);
            assertThat(StartStatus.of(refused.facts())).isEqualTo(StartStatus.NO);
        });
    }

    @Test
    void startedRunIsRunning() {
        assertActive(prepareAndStart(1));
    }

    @Test
    void startedRunCarriesEpoch() throws Exception {
        assertThat(fixture.epoch(prepareAndStart(1))).isEqualTo(Long.toString(EPOCH));
    }

    @Test
    void startsRunOnlyOnce() {
        Preparation.Ready ready = prepare(1);
        assertThat(runner.start(ready.run(), ready.version(), EPOCH)).isTrue();
        assertThat(runner.start(ready.run(), ready.version(), EPOCH)).isFalse();
    }

    @Test
    void startsRunOnceConcurrently() throws Exception {
        Preparation.Ready ready = prepare(1);
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<Boolean>> starts = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                starts.add(threads.submit(() -> runner.start(ready.run(), ready.version(), EPOCH)));
            }
            int started = 0;
            for (Future<Boolean> start : starts) {
                started += start.get() ? 1 : 0;
            }
            assertThat(started).isEqualTo(1);
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void preparesSameRunConcurrently() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<Preparation.Ready>> preparations = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                preparations.add(threads.submit(() -> prepare(1)));
            }
            for (Future<Preparation.Ready> preparation : preparations) {
                assertThat(preparation.get()).isEqualTo(prepare(1));
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void doesNotStartWithOtherVersion() {
        Preparation.Ready ready = prepare(1);
        assertThat(runner.start(ready.run(), ready.version() + "-not", EPOCH)).isFalse();
        assertThat(runner.observe(ready.run())).isInstanceOf(Observation.Suspended.class);
    }

    @Test
    void runWithOtherUidIsMissing() {
        Preparation.Ready ready = prepare(1);
        RunRef other = new RunRef(ready.run().name(), ready.run().uid() + "0");
        assertThat(runner.observe(other)).isEqualTo(new Observation.Missing());
        assertThat(runner.start(other, ready.version(), EPOCH)).isFalse();
        assertThat(runner.remove(other, ready.version())).isFalse();
        assertThat(runner.observe(ready.run())).isInstanceOf(Observation.Suspended.class);
    }

    @Test
    void removedRunNeverStarts() {
        Preparation.Ready ready = prepare(1);
        assertThat(runner.remove(ready.run(), ready.version())).isTrue();
        assertThat(runner.observe(ready.run())).isEqualTo(new Observation.Missing());
        assertThat(runner.start(ready.run(), ready.version(), EPOCH)).isFalse();
        assertThat(runner.remove(ready.run(), ready.version())).isFalse();
    }

    @Test
    void preparesNewRunAfterRemoval() {
        Preparation.Ready removed = prepare(1);
        runner.remove(removed.run(), removed.version());
        Preparation.Ready next = prepare(1);
        assertThat(next.run().uid()).isNotEqualTo(removed.run().uid());
        assertThat(runner.start(removed.run(), removed.version(), EPOCH)).isFalse();
        assertThat(runner.start(next.run(), next.version(), EPOCH)).isTrue();
    }

    @Test
    void doesNotRemoveWithOtherVersion() {
        Preparation.Ready ready = prepare(1);
        assertThat(runner.remove(ready.run(), ready.version() + "-not")).isFalse();
        assertThat(runner.observe(ready.run())).isInstanceOf(Observation.Suspended.class);
    }

    @Test
    void doesNotRemoveRunningRun() {
        Preparation.Ready ready = prepare(1);
        runner.start(ready.run(), ready.version(), EPOCH);
        assertThat(runner.remove(ready.run(), ready.version())).isFalse();
        runner.removeSuspended(fixture.execution(1).ref());
        assertActive(ready.run());
    }

    /** An executor may need a moment to pick up a run. */
    private void assertActive(RunRef run) {
        assertThat(runner.observe(run)).isInstanceOfAny(Observation.Running.class, Observation.Stalled.class);
    }

    @Test
    void removeSuspendedAffectsOnlyThatExecution() {
        Preparation.Ready mine = prepare(1);
        Preparation.Ready other = prepare(2);
        runner.removeSuspended(fixture.execution(1).ref());
        runner.removeSuspended(fixture.execution(3).ref());
        assertThat(runner.observe(mine.run())).isEqualTo(new Observation.Missing());
        assertThat(runner.observe(other.run())).isInstanceOf(Observation.Suspended.class);
    }

    @Test
    void observesSucceededRun() throws Exception {
        RunRef run = prepareAndStart(1);
        fixture.endRun(run, true);
        assertThat(runner.observe(run))
                .isInstanceOfSatisfying(
                        Observation.Succeeded.class,
                        succeeded -> assertThat(succeeded.progress().completedTasks())
                                .isEqualTo(succeeded.progress().totalTasks()));
        assertSameEnd(runner.observe(run), runner.observe(run));
    }

    /** An executor that reports whole seconds leaves the moment within the second to the observer. */
    private static void assertSameEnd(Observation first, Observation second) {
        assertThat(first)
                .isInstanceOfSatisfying(
                        Observation.Succeeded.class,
                        expected -> assertThat(second).isInstanceOfSatisfying(Observation.Succeeded.class, actual -> {
                            assertThat(actual.progress()).isEqualTo(expected.progress());
                            assertThat(actual.at()).isCloseTo(expected.at(), within(1, ChronoUnit.SECONDS));
                        }));
    }

    @Test
    void observesFailedRunAsExecutionFailure() throws Exception {
        RunRef run = prepareAndStart(1);
        fixture.endRun(run, false);
        assertThat(runner.observe(run)).isInstanceOfSatisfying(Observation.Failed.class, failed -> {
            assertThat(failed.facts().end()).isEqualTo(RunEnd.FAILED);
            assertThat(StartStatus.of(failed.facts()).countsAsExecutionFailure())
                    .isTrue();
        });
    }

    @Test
    void validatesWithoutPreparing() {
        assertThat(runner.validate(fixture.execution(1))).isEmpty();
        assertThat(runner.validate(fixture.executionOfUnknownWorkflow())).isPresent();
    }

    @Test
    void stoppedRunEndsAsCancelled() throws Exception {
        RunRef run = prepareAndStart(1);
        runner.stop(run, "alice");
        runner.stop(run, "bob");
        fixture.awaitStopped(run);
        assertThat(runner.observe(run))
                .isInstanceOfSatisfying(
                        Observation.Failed.class,
                        failed -> assertThat(failed.facts().end()).isEqualTo(RunEnd.CANCELLED));
    }

    @Test
    void stoppingEndedRunHasNoEffect() throws Exception {
        RunRef run = prepareAndStart(1);
        fixture.endRun(run, true);
        Observation before = runner.observe(run);
        runner.stop(run, "alice");
        assertSameEnd(before, runner.observe(run));
    }

    @Test
    void endedRunStaysAndDoesNotRestart() throws Exception {
        Preparation.Ready ready = prepare(1);
        runner.start(ready.run(), ready.version(), EPOCH);
        fixture.endRun(ready.run(), true);
        runner.removeSuspended(fixture.execution(1).ref());
        assertThat(runner.observe(ready.run())).isInstanceOf(Observation.Succeeded.class);
        assertThat(runner.start(ready.run(), ready.version(), EPOCH)).isFalse();
        // It is returned as it is, or refused because it is not suspended.
        if (runner.prepare(fixture.execution(1)) instanceof Preparation.Ready again) {
            assertThat(again.run()).isEqualTo(ready.run());
            assertThat(runner.start(ready.run(), again.version(), EPOCH)).isFalse();
        }
    }
}
