package dev.escapement.kubernetes.run.tekton;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.RunProgress;
import dev.escapement.engine.execution.RunRef;
import dev.escapement.engine.port.WorkflowRunner.Observation;
import dev.escapement.governor.failure.Failure;
import dev.escapement.governor.failure.FailureReason;
import dev.escapement.kubernetes.run.RunTestBed;
import dev.escapement.kubernetes.run.tekton.PipelineBundles.PipelineTask;
import dev.escapement.testkit.ConditionPoller;
import dev.escapement.testkit.cluster.ClusterExtension;
import dev.escapement.testkit.cluster.TestCluster;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;

/** Failures of runs of a real Tekton. */
@ExtendWith(ClusterExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PipelineRunFailureReaderIT {

    private static final Duration SHORT_TIMEOUT = Duration.ofSeconds(14);

    private final TestCluster cluster;
    private final RunTestBed testBed;
    private int number;

    PipelineRunFailureReaderIT(TestCluster cluster) {
        this.cluster = cluster;
        this.testBed = RunTestBed.forTekton(cluster);
    }

    @AfterAll
    void close() {
        testBed.close();
    }

    private Execution newExecution(PipelineTask... tasks) {
        return testBed.newExecution(++number, PipelineBundles.pushBundle(cluster, tasks));
    }

    private Execution newExecutionWithTimeout(Duration timeout, PipelineTask... tasks) {
        return testBed.newExecution(++number, PipelineBundles.pushBundle(cluster, tasks), timeout);
    }

    private static PipelineTask cordonTask(String image) {
        return PipelineTask.of("cordon", image);
    }

    private static PipelineTask drainTask(String image) {
        return PipelineTask.of("drain", image);
    }

    @Test
    void reportsAllTasksCompletedOnSuccess() {
        Execution execution = newExecution(cordonTask("simulated.local/succeed"), drainTask("simulated.local/succeed"));
        assertThat(testBed.awaitEnd(testBed.startRun(execution)))
                .isInstanceOfSatisfying(
                        Observation.Succeeded.class,
                        ended -> assertThat(ended.progress()).isEqualTo(new RunProgress(2, 2, "")));
    }

    @Test
    void reportsProgressWhenTaskCompletes() {
        Execution execution = newExecution(cordonTask("simulated.local/succeed"), drainTask("simulated.local/wait"));
        RunRef run = testBed.startRun(execution);
        RunProgress progress = ConditionPoller.awaitPresent(
                "a finished task",
                () -> Optional.of(testBed.runnerService().observe(run))
                        .filter(Observation.Running.class::isInstance)
                        .map(observation -> ((Observation.Running) observation).progress())
                        .filter(seen -> seen.completedTasks() == 1));
        assertThat(progress)
                .isEqualTo(new RunProgress(
                        1,
                        2,
                        "task 2 of 2: drain; Tekton: Tasks Completed: 1 (Failed: 0, Cancelled 0), Incomplete: 1, Skipped: 0",
                        "Running"));
        testBed.endPod(execution, "succeed");
        assertThat(testBed.awaitEnd(run)).isInstanceOf(Observation.Succeeded.class);
    }

    @Test
    void reportsStepAndExitCodeOfFailedFirstTask() {
        Failure failure = testBed.awaitFailure(
                newExecution(cordonTask("simulated.local/exit:3"), drainTask("simulated.local/succeed")));
        assertThat(failure.reason()).isEqualTo(FailureReason.TaskFailed);
        assertThat(failure.failedTaskName()).contains("cordon");
        assertThat(failure.failedTaskIndex()).contains(0);
        assertThat(failure.failedStepName()).contains("do-cordon");
        assertThat(failure.exitCode()).contains(3);
        assertThat(failure.wasExecutionFailure()).isTrue();
        assertThat(failure.naturalLanguageSummary()).contains("task 1 of 2");
    }

    @Test
    void reportsFailedSecondTask() {
        Failure failure = testBed.awaitFailure(
                newExecution(cordonTask("simulated.local/succeed"), drainTask("simulated.local/exit:4")));
        assertThat(failure.failedTaskName()).contains("drain");
        assertThat(failure.failedTaskIndex()).contains(1);
        assertThat(failure.exitCode()).contains(4);
        assertThat(failure.wasExecutionFailure()).isTrue();
    }

    @Test
    void reportsFailedSecondStep() {
        Failure failure = testBed.awaitFailure(newExecution(PipelineTask.of(
                "cordon", "simulated.local/succeed", "simulated.local/exit:5", "simulated.local/succeed")));
        assertThat(failure.failedStepName()).contains("then-1");
        assertThat(failure.exitCode()).contains(5);
    }

    @Test
    void reportsImagePullFailureAsStartFailure() {
        Failure failure = testBed.awaitFailure(newExecution(cordonTask("simulated.local/pull-failure")));
        assertThat(failure.reason()).isEqualTo(FailureReason.ImagePullBackOff);
        assertThat(failure.failedTaskName()).contains("cordon");
        assertThat(failure.failedStepName()).contains("do-cordon");
        assertThat(failure.wasExecutionFailure()).isFalse();
    }

    @Test
    void reportsImagePullFailureAfterFirstTaskAsExecutionFailure() {
        Failure failure = testBed.awaitFailure(
                newExecution(cordonTask("simulated.local/succeed"), drainTask("simulated.local/pull-failure")));
        assertThat(failure.reason()).isEqualTo(FailureReason.ImagePullBackOff);
        assertThat(failure.failedTaskName()).contains("drain");
        assertThat(failure.wasExecutionFailure()).isTrue();
    }

    @Test
    void reportsImagePullFailureBesideRunningStepAsExecutionFailure() {
        Failure failure = testBed.awaitFailure(
                newExecution(PipelineTask.of("cordon", "simulated.local/hang", "simulated.local/pull-failure")));
        assertThat(failure.reason()).isEqualTo(FailureReason.ImagePullBackOff);
        assertThat(failure.wasExecutionFailure()).isTrue();
    }

    @Test
    void reportsOutOfMemory() {
        Failure failure = testBed.awaitFailure(newExecution(cordonTask("simulated.local/oom")));
        assertThat(failure.reason()).isEqualTo(FailureReason.OOMKilled);
        assertThat(failure.exitCode()).contains(137);
        assertThat(failure.wasExecutionFailure()).isTrue();
    }

    @Test
    void reportsTimeoutOfRunningStepAsExecutionFailure() {
        Failure failure =
                testBed.awaitFailure(newExecutionWithTimeout(SHORT_TIMEOUT, cordonTask("simulated.local/hang")));
        assertThat(failure.reason()).isEqualTo(FailureReason.DeadlineExceeded);
        assertThat(failure.failedTaskName()).contains("cordon");
        assertThat(failure.wasExecutionFailure()).isTrue();
    }

    /** Waits for a timeout. */
    @Test
    @EnabledIfSystemProperty(named = "escapement.nightly", matches = "true")
    void reportsUnschedulablePodAsStartFailure() {
        Failure failure = testBed.awaitFailure(
                newExecutionWithTimeout(SHORT_TIMEOUT, cordonTask("simulated.local/never-scheduled")));
        assertThat(failure.reason()).isEqualTo(FailureReason.ResourceExhausted);
        assertThat(failure.wasExecutionFailure()).isFalse();
    }

    /** Waits for a timeout. */
    @Test
    @EnabledIfSystemProperty(named = "escapement.nightly", matches = "true")
    void reportsTaskTimeout() {
        Failure failure = testBed.awaitFailure(newExecution(
                cordonTask("simulated.local/hang").with("timeout", "12s"), drainTask("simulated.local/succeed")));
        assertThat(failure.reason()).isEqualTo(FailureReason.DeadlineExceeded);
        assertThat(failure.failedTaskName()).contains("cordon");
        assertThat(failure.wasExecutionFailure()).isTrue();
    }

    @Test
    void reportsRetriedTaskAsExecutionFailure() {
        Failure failure = testBed.awaitFailure(
                newExecution(cordonTask("simulated.local/exit:3").with("retries", 1)));
        assertThat(failure.reason()).isEqualTo(FailureReason.TaskFailed);
        assertThat(failure.exitCode()).contains(3);
        assertThat(failure.wasExecutionFailure()).isTrue();
    }

    @Test
    void succeedsWhenTaskFailureIsIgnored() {
        Execution execution = newExecution(
                cordonTask("simulated.local/exit:3").with("onError", "continue"), drainTask("simulated.local/succeed"));
        assertThat(testBed.awaitEnd(testBed.startRun(execution))).isInstanceOf(Observation.Succeeded.class);
    }

    @Test
    void countsSkippedTaskAsCompleted() {
        Execution execution = newExecution(
                cordonTask("simulated.local/exit:3")
                        .with("when", List.of(Map.of("input", "a", "operator", "in", "values", List.of("b")))),
                drainTask("simulated.local/succeed"));
        assertThat(testBed.awaitEnd(testBed.startRun(execution)))
                .isInstanceOfSatisfying(
                        Observation.Succeeded.class,
                        ended -> assertThat(ended.progress()).isEqualTo(new RunProgress(2, 2, "")));
    }

    @Test
    void cancelsStoppedRunAndRemovesPod() {
        Execution execution = newExecution(cordonTask("simulated.local/hang"));
        RunRef run = testBed.startRun(execution);
        testBed.awaitRunningPod(execution);
        testBed.runnerService().stop(run, "alice");
        Failure failure = testBed.awaitFailure(execution, run);
        assertThat(failure.reason()).isEqualTo(FailureReason.Cancelled);
        assertThat(failure.naturalLanguageSummary()).contains("cancelled");
        assertThat(failure.wasExecutionFailure()).isTrue();
        ConditionPoller.await("no pod is left", () -> testBed.pods(execution).isEmpty());
    }

    @Test
    void reportsStopOfUnscheduledRunAsStartFailure() {
        Execution execution = newExecution(cordonTask("simulated.local/never-scheduled"));
        RunRef run = testBed.startRun(execution);
        testBed.awaitRecordedPod(execution);
        testBed.runnerService().stop(run, "alice");
        Failure failure = testBed.awaitFailure(execution, run);
        assertThat(failure.reason()).isEqualTo(FailureReason.Cancelled);
        assertThat(failure.wasExecutionFailure()).isFalse();
    }

    @Test
    void reportsDeletedRunAsMissing() {
        Execution execution = newExecution(cordonTask("simulated.local/hang"));
        RunRef run = testBed.startRun(execution);
        testBed.awaitRunningPod(execution);
        cluster.admin()
                .resources(PipelineRun.class)
                .inNamespace(testBed.namespace())
                .withName(run.name().substring(run.name().lastIndexOf('/') + 1))
                .delete();
        assertThat(testBed.awaitEnd(run)).isEqualTo(new Observation.Missing());
    }

    @Test
    void reportsMissingBundleAsStartFailure() {
        Failure failure = testBed.awaitFailure(
                testBed.newExecution(++number, cluster.registry().address() + "/workflows/no-such-thing:v1"));
        assertThat(failure.reason()).isEqualTo(FailureReason.ConfigurationError);
        assertThat(failure.message()).contains("no-such-thing");
        assertThat(failure.wasExecutionFailure()).isFalse();
    }

    @Test
    void reportsInvalidPipelineAsStartFailure() {
        Failure failure = testBed.awaitFailure(
                newExecution(cordonTask("simulated.local/succeed").with("runAfter", List.of("no-such-task"))));
        assertThat(failure.reason()).isEqualTo(FailureReason.ConfigurationError);
        assertThat(failure.wasExecutionFailure()).isFalse();
    }

    @Test
    void refusesWorkflowWithoutBundle() {
        Failure failure = testBed.prepareRefused(testBed.newExecution(++number, ""));
        assertThat(failure.reason()).isEqualTo(FailureReason.ValidationError);
        assertThat(failure.message())
                .contains("spec.workflowRef.containerImage")
                .contains("repair");
        assertThat(failure.wasExecutionFailure()).isFalse();
    }
}
