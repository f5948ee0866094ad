package dev.escapement.engine.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.RunRef;
import dev.escapement.engine.port.WorkflowRunner;
import dev.escapement.engine.port.WorkflowRunner.Observation;
import dev.escapement.engine.port.WorkflowRunner.Preparation;
import dev.escapement.governor.failure.RunEnd;
import dev.escapement.governor.failure.Started;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A run is prepared without effect, starts at most once, and is told from every other. */
public abstract class RunnerContract {

    /** Runs of one kind, and what happens to them. */
    public interface World {

        /** The runner under test. */
        WorkflowRunner runner();

        /** The n-th execution. Its run goes on until it is told how to end. */
        Execution execution(int number);

        /** An execution of a workflow that does not exist. */
        Execution unknown();

        /** The epoch that a run which is going carries, where what it acts on can see it. */
        String epoch(RunRef run) throws Exception;

        /** Lets a run that is going end well or badly, and returns when it has. */
        void end(RunRef run, boolean well) throws Exception;

        /** Returns when a run that was asked to stop has ended. */
        void awaitStopped(RunRef run) throws Exception;
    }

    private static final long EPOCH = 1_763_300_000_007L;

    /** Without any run. */
    protected abstract World open() throws Exception;

    private World world;
    private WorkflowRunner runner;

    @BeforeEach
    void openWorld() throws Exception {
        world = open();
        runner = world.runner();
    }

    private Preparation.Ready prepared(int number) {
        return (Preparation.Ready) runner.prepare(world.execution(number));
    }

    private RunRef going(int number) {
        Preparation.Ready ready = prepared(number);
        assertThat(runner.start(ready.run(), ready.version(), EPOCH)).isTrue();
        return ready.run();
    }

    @Test
    void aPreparedRunIsSuspended() {
        Preparation.Ready ready = prepared(1);
        assertThat(runner.observe(ready.run())).isEqualTo(new Observation.Suspended(ready.version()));
        assertThat(ready.progress().completedTasks()).isZero();
    }

    @Test
    void preparingTwiceFindsTheSameRun() {
        assertThat(prepared(1)).isEqualTo(prepared(1));
    }

    @Test
    void twoExecutionsHaveTwoRuns() {
        Preparation.Ready one = prepared(1);
        Preparation.Ready other = prepared(2);
        assertThat(one.run().uid()).isNotEqualTo(other.run().uid());
        assertThat(runner.start(one.run(), one.version(), EPOCH)).isTrue();
        assertThat(runner.observe(other.run())).isInstanceOf(Observation.Suspended.class);
    }

    @Test
    void whatCannotBePreparedIsRefusedAndCertainlyNeverRan() {
        Preparation preparation = runner.prepare(world.unknown());
        assertThat(preparation).isInstanceOfSatisfying(Preparation.Refused.class, refused -> {
            assertThat(refused.facts().end()).isEqualTo(RunEnd.REFUSED);
            assertThat(Started.inAnyStepOf(refused.facts())).isEqualTo(Started.NO);
        });
    }

    @Test
    void aStartedRunIsGoing() {
        assertThat(runner.observe(going(1))).isInstanceOf(Observation.Going.class);
    }

    @Test
    void aStartedRunCarriesTheEpochUnderWhichItWasAdmitted() throws Exception {
        assertThat(world.epoch(going(1))).isEqualTo(Long.toString(EPOCH));
    }

    @Test
    void aRunStartsOnce() {
        Preparation.Ready ready = prepared(1);
        assertThat(runner.start(ready.run(), ready.version(), EPOCH)).isTrue();
        assertThat(runner.start(ready.run(), ready.version(), EPOCH)).isFalse();
    }

    @Test
    void ofManyWhoStartARunOneDoes() throws Exception {
        Preparation.Ready ready = prepared(1);
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
    void ofManyWhoPrepareAllFindTheSameRun() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<Preparation.Ready>> preparations = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                preparations.add(threads.submit(() -> prepared(1)));
            }
            for (Future<Preparation.Ready> preparation : preparations) {
                assertThat(preparation.get()).isEqualTo(prepared(1));
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void aRunDoesNotStartUnderAnotherVersion() {
        Preparation.Ready ready = prepared(1);
        assertThat(runner.start(ready.run(), ready.version() + "-not", EPOCH)).isFalse();
        assertThat(runner.observe(ready.run())).isInstanceOf(Observation.Suspended.class);
    }

    @Test
    void aRunWithAnotherUidIsMissing() {
        Preparation.Ready ready = prepared(1);
        RunRef other = new RunRef(ready.run().name(), ready.run().uid() + "0");
        assertThat(runner.observe(other)).isEqualTo(new Observation.Missing());
        assertThat(runner.start(other, ready.version(), EPOCH)).isFalse();
        assertThat(runner.remove(other, ready.version())).isFalse();
        assertThat(runner.observe(ready.run())).isInstanceOf(Observation.Suspended.class);
    }

    @Test
    void aRemovedRunNeverStarts() {
        Preparation.Ready ready = prepared(1);
        assertThat(runner.remove(ready.run(), ready.version())).isTrue();
        assertThat(runner.observe(ready.run())).isEqualTo(new Observation.Missing());
        assertThat(runner.start(ready.run(), ready.version(), EPOCH)).isFalse();
        assertThat(runner.remove(ready.run(), ready.version())).isFalse();
    }

    @Test
    void whatIsPreparedAfterARemovalIsAnotherRun() {
        Preparation.Ready removed = prepared(1);
        runner.remove(removed.run(), removed.version());
        Preparation.Ready next = prepared(1);
        assertThat(next.run().uid()).isNotEqualTo(removed.run().uid());
        assertThat(runner.start(removed.run(), removed.version(), EPOCH)).isFalse();
        assertThat(runner.start(next.run(), next.version(), EPOCH)).isTrue();
    }

    @Test
    void aRunIsNotRemovedUnderAnotherVersion() {
        Preparation.Ready ready = prepared(1);
        assertThat(runner.remove(ready.run(), ready.version() + "-not")).isFalse();
        assertThat(runner.observe(ready.run())).isInstanceOf(Observation.Suspended.class);
    }

    @Test
    void aRunThatIsGoingIsNotRemoved() {
        Preparation.Ready ready = prepared(1);
        runner.start(ready.run(), ready.version(), EPOCH);
        assertThat(runner.remove(ready.run(), ready.version())).isFalse();
        runner.removeSuspended(world.execution(1).ref());
        assertThat(runner.observe(ready.run())).isInstanceOf(Observation.Going.class);
    }

    @Test
    void removingWhatIsSuspendedTakesOnlyThatExecutions() {
        Preparation.Ready mine = prepared(1);
        Preparation.Ready other = prepared(2);
        runner.removeSuspended(world.execution(1).ref());
        runner.removeSuspended(world.execution(3).ref());
        assertThat(runner.observe(mine.run())).isEqualTo(new Observation.Missing());
        assertThat(runner.observe(other.run())).isInstanceOf(Observation.Suspended.class);
    }

    @Test
    void aRunThatEndedWellHasSucceeded() throws Exception {
        RunRef run = going(1);
        world.end(run, true);
        assertThat(runner.observe(run))
                .isInstanceOfSatisfying(
                        Observation.Succeeded.class,
                        succeeded -> assertThat(succeeded.progress().completedTasks())
                                .isEqualTo(succeeded.progress().totalTasks()));
        assertThat(runner.observe(run)).isEqualTo(runner.observe(run));
    }

    @Test
    void aRunThatEndedBadlyHasFailedAndMayHaveDoneHarm() throws Exception {
        RunRef run = going(1);
        world.end(run, false);
        assertThat(runner.observe(run)).isInstanceOfSatisfying(Observation.Failed.class, failed -> {
            assertThat(failed.facts().end()).isEqualTo(RunEnd.FAILED);
            assertThat(Started.inAnyStepOf(failed.facts()).countsAsDuring()).isTrue();
        });
    }

    @Test
    void aRunThatWasAskedToStopEndsAsCancelled() throws Exception {
        RunRef run = going(1);
        runner.stop(run, "alice");
        runner.stop(run, "bob");
        world.awaitStopped(run);
        assertThat(runner.observe(run))
                .isInstanceOfSatisfying(
                        Observation.Failed.class,
                        failed -> assertThat(failed.facts().end()).isEqualTo(RunEnd.CANCELLED));
    }

    @Test
    void askingTooLateChangesNothing() throws Exception {
        RunRef run = going(1);
        world.end(run, true);
        Observation before = runner.observe(run);
        runner.stop(run, "alice");
        assertThat(runner.observe(run)).isEqualTo(before);
    }

    @Test
    void anEndedRunStaysAndStartsNoMore() throws Exception {
        Preparation.Ready ready = prepared(1);
        runner.start(ready.run(), ready.version(), EPOCH);
        world.end(ready.run(), true);
        runner.removeSuspended(world.execution(1).ref());
        assertThat(runner.observe(ready.run())).isInstanceOf(Observation.Succeeded.class);
        assertThat(runner.start(ready.run(), ready.version(), EPOCH)).isFalse();
        assertThat(prepared(1).run()).isEqualTo(ready.run());
        assertThat(runner.start(ready.run(), prepared(1).version(), EPOCH)).isFalse();
    }
}
