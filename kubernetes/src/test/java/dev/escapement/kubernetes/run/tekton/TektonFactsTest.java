package dev.escapement.kubernetes.run.tekton;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.cluster.testing.ClusterExtension;
import dev.escapement.cluster.testing.TestCluster;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.RunProgress;
import dev.escapement.engine.execution.RunRef;
import dev.escapement.engine.port.WorkflowRunner.Observation;
import dev.escapement.governor.failure.Failure;
import dev.escapement.governor.failure.FailureReason;
import dev.escapement.kubernetes.run.Eventually;
import dev.escapement.kubernetes.run.RunBench;
import dev.escapement.kubernetes.run.tekton.Pipelines.Task;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a real Tekton says when runs end, and what becomes of it. */
@ExtendWith(ClusterExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TektonFactsTest {

    private static final Duration SHORT = Duration.ofSeconds(14);

    private final TestCluster cluster;
    private final RunBench bench;
    private int number;

    TektonFactsTest(TestCluster cluster) {
        this.cluster = cluster;
        this.bench = RunBench.tekton(cluster);
    }

    @AfterAll
    void close() {
        bench.close();
    }

    private Execution execution(Task... tasks) {
        return bench.execution(++number, Pipelines.bundle(cluster, tasks));
    }

    private Execution inTime(Duration timeout, Task... tasks) {
        return bench.execution(++number, Pipelines.bundle(cluster, tasks), timeout);
    }

    private static Task cordon(String image) {
        return Task.of("cordon", image);
    }

    private static Task drain(String image) {
        return Task.of("drain", image);
    }

    @Test
    void aRunThatEndsWellHasAllItsTasksDone() {
        Execution execution = execution(cordon("simulated.local/succeed"), drain("simulated.local/succeed"));
        assertThat(bench.ended(bench.go(execution)))
                .isInstanceOfSatisfying(
                        Observation.Succeeded.class,
                        ended -> assertThat(ended.progress()).isEqualTo(new RunProgress(2, 2, "")));
    }

    @Test
    void progressIsToldWhenATaskIsDone() {
        Execution execution = execution(cordon("simulated.local/succeed"), drain("simulated.local/wait"));
        RunRef run = bench.go(execution);
        Observation going = Eventually.is(
                "a task that is done",
                () -> Optional.of(bench.runs().observe(run))
                        .filter(seen -> !seen.equals(new Observation.Running(RunProgress.UNKNOWN)))
                        .filter(seen -> !seen.equals(new Observation.Running(new RunProgress(1, 2, "")))));
        assertThat(going).isEqualTo(new Observation.Running(new RunProgress(1, 2, "task 2 of 2: drain")));
        bench.end(execution, "succeed");
        assertThat(bench.ended(run)).isInstanceOf(Observation.Succeeded.class);
    }

    @Test
    void aFirstTaskThatFailsIsToldWithItsStepAndExitCode() {
        Failure failure = bench.failure(execution(cordon("simulated.local/exit:3"), drain("simulated.local/succeed")));
        assertThat(failure.reason()).isEqualTo(FailureReason.TaskFailed);
        assertThat(failure.failedTaskName()).contains("cordon");
        assertThat(failure.failedTaskIndex()).contains(0);
        assertThat(failure.failedStepName()).contains("do-cordon");
        assertThat(failure.exitCode()).contains(3);
        assertThat(failure.wasExecutionFailure()).isTrue();
        assertThat(failure.naturalLanguageSummary()).contains("task 1 of 2");
    }

    @Test
    void aSecondTaskThatFailsAfterAGoodFirstIsTold() {
        Failure failure = bench.failure(execution(cordon("simulated.local/succeed"), drain("simulated.local/exit:4")));
        assertThat(failure.failedTaskName()).contains("drain");
        assertThat(failure.failedTaskIndex()).contains(1);
        assertThat(failure.exitCode()).contains(4);
        assertThat(failure.wasExecutionFailure()).isTrue();
    }

    @Test
    void aStepThatFailsAfterAGoodOneIsTold() {
        Failure failure = bench.failure(execution(
                Task.of("cordon", "simulated.local/succeed", "simulated.local/exit:5", "simulated.local/succeed")));
        assertThat(failure.failedStepName()).contains("then-1");
        assertThat(failure.exitCode()).contains(5);
    }

    @Test
    void anImageThatCannotBePulledIsBeforeTheExecution() {
        Failure failure = bench.failure(execution(cordon("simulated.local/pull-failure")));
        assertThat(failure.reason()).isEqualTo(FailureReason.ImagePullBackOff);
        assertThat(failure.failedTaskName()).contains("cordon");
        assertThat(failure.failedStepName()).contains("do-cordon");
        assertThat(failure.wasExecutionFailure()).isFalse();
    }

    @Test
    void anImageThatCannotBePulledAfterATaskRanIsDuringTheExecution() {
        Failure failure =
                bench.failure(execution(cordon("simulated.local/succeed"), drain("simulated.local/pull-failure")));
        assertThat(failure.reason()).isEqualTo(FailureReason.ImagePullBackOff);
        assertThat(failure.failedTaskName()).contains("drain");
        assertThat(failure.wasExecutionFailure()).isTrue();
    }

    @Test
    void anImageThatCannotBePulledBesideAStepThatHadBegunIsDuringTheExecution() {
        Failure failure =
                bench.failure(execution(Task.of("cordon", "simulated.local/hang", "simulated.local/pull-failure")));
        assertThat(failure.reason()).isEqualTo(FailureReason.ImagePullBackOff);
        assertThat(failure.wasExecutionFailure()).isTrue();
    }

    @Test
    void theMemoryIsBlamedIfItWasTheMemory() {
        Failure failure = bench.failure(execution(cordon("simulated.local/oom")));
        assertThat(failure.reason()).isEqualTo(FailureReason.OOMKilled);
        assertThat(failure.exitCode()).contains(137);
        assertThat(failure.wasExecutionFailure()).isTrue();
    }

    @Test
    void aRunThatTakesTooLongAfterAStepHadBegunIsDuringTheExecution() {
        Failure failure = bench.failure(inTime(SHORT, cordon("simulated.local/hang")));
        assertThat(failure.reason()).isEqualTo(FailureReason.DeadlineExceeded);
        assertThat(failure.failedTaskName()).contains("cordon");
        assertThat(failure.wasExecutionFailure()).isTrue();
    }

    @Test
    void aRunThatFindsNoNodeInTimeIsBeforeTheExecution() {
        Failure failure = bench.failure(inTime(SHORT, cordon("simulated.local/never-scheduled")));
        assertThat(failure.reason()).isEqualTo(FailureReason.ResourceExhausted);
        assertThat(failure.wasExecutionFailure()).isFalse();
    }

    @Test
    void aTaskThatTakesTooLongIsTold() {
        Failure failure = bench.failure(
                execution(cordon("simulated.local/hang").with("timeout", "12s"), drain("simulated.local/succeed")));
        assertThat(failure.reason()).isEqualTo(FailureReason.DeadlineExceeded);
        assertThat(failure.failedTaskName()).contains("cordon");
        assertThat(failure.wasExecutionFailure()).isTrue();
    }

    @Test
    void aTaskThatIsTriedAgainHasRunBefore() {
        Failure failure =
                bench.failure(execution(cordon("simulated.local/exit:3").with("retries", 1)));
        assertThat(failure.reason()).isEqualTo(FailureReason.TaskFailed);
        assertThat(failure.exitCode()).contains(3);
        assertThat(failure.wasExecutionFailure()).isTrue();
    }

    @Test
    void aTaskWhoseFailureIsIgnoredDoesNotFailTheRun() {
        Execution execution = execution(
                cordon("simulated.local/exit:3").with("onError", "continue"), drain("simulated.local/succeed"));
        assertThat(bench.ended(bench.go(execution))).isInstanceOf(Observation.Succeeded.class);
    }

    @Test
    void aTaskThatWasNotNeededCountsAsDone() {
        Execution execution = execution(
                cordon("simulated.local/exit:3")
                        .with("when", List.of(Map.of("input", "a", "operator", "in", "values", List.of("b")))),
                drain("simulated.local/succeed"));
        assertThat(bench.ended(bench.go(execution)))
                .isInstanceOfSatisfying(
                        Observation.Succeeded.class,
                        ended -> assertThat(ended.progress()).isEqualTo(new RunProgress(2, 2, "")));
    }

    @Test
    void aRunThatIsStoppedIsCancelledAndItsPodEnds() {
        Execution execution = execution(cordon("simulated.local/hang"));
        RunRef run = bench.go(execution);
        bench.running(execution);
        bench.runs().stop(run, "alice");
        Failure failure = bench.failure(execution, run);
        assertThat(failure.reason()).isEqualTo(FailureReason.Cancelled);
        assertThat(failure.naturalLanguageSummary()).contains("cancelled");
        assertThat(failure.wasExecutionFailure()).isTrue();
        Eventually.holds("no pod is left", () -> bench.pods(execution).isEmpty());
    }

    @Test
    void aRunThatIsStoppedWhileItFindsNoNodeIsBeforeTheExecution() {
        Execution execution = execution(cordon("simulated.local/never-scheduled"));
        RunRef run = bench.go(execution);
        bench.noted(execution);
        bench.runs().stop(run, "alice");
        Failure failure = bench.failure(execution, run);
        assertThat(failure.reason()).isEqualTo(FailureReason.Cancelled);
        assertThat(failure.wasExecutionFailure()).isFalse();
    }

    @Test
    void aRunThatWasDeletedIsMissing() {
        Execution execution = execution(cordon("simulated.local/hang"));
        RunRef run = bench.go(execution);
        bench.running(execution);
        cluster.admin()
                .resources(PipelineRun.class)
                .inNamespace(bench.namespace())
                .withName(run.name().substring(run.name().lastIndexOf('/') + 1))
                .delete();
        assertThat(bench.ended(run)).isEqualTo(new Observation.Missing());
    }

    @Test
    void aBundleThatThereIsNotIsBeforeTheExecution() {
        Failure failure =
                bench.failure(bench.execution(++number, cluster.registry().address() + "/workflows/no-such-thing:v1"));
        assertThat(failure.reason()).isEqualTo(FailureReason.ConfigurationError);
        assertThat(failure.message()).contains("no-such-thing");
        assertThat(failure.wasExecutionFailure()).isFalse();
    }

    @Test
    void aPipelineThatIsWrongIsBeforeTheExecution() {
        Failure failure =
                bench.failure(execution(cordon("simulated.local/succeed").with("runAfter", List.of("no-such-task"))));
        assertThat(failure.reason()).isEqualTo(FailureReason.ConfigurationError);
        assertThat(failure.wasExecutionFailure()).isFalse();
    }

    @Test
    void aWorkflowWithoutABundleIsRefusedWithWhatToGive() {
        Failure failure = bench.refusal(bench.execution(++number, ""));
        assertThat(failure.reason()).isEqualTo(FailureReason.ConfigurationError);
        assertThat(failure.message())
                .contains("spec.workflowRef.containerImage")
                .contains("repair");
        assertThat(failure.wasExecutionFailure()).isFalse();
    }
}
