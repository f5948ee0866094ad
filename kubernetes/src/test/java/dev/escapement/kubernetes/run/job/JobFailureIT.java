package dev.escapement.kubernetes.run.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionSpec.ExecutionConfig;
import dev.escapement.engine.execution.ExecutionSpec.WorkflowRef;
import dev.escapement.engine.execution.RunRef;
import dev.escapement.engine.port.WorkflowRunner.Observation;
import dev.escapement.engine.port.WorkflowRunner.Preparation;
import dev.escapement.governor.failure.Failure;
import dev.escapement.governor.failure.FailureReason;
import dev.escapement.kubernetes.run.KubernetesRunnerService;
import dev.escapement.kubernetes.run.RunTestBed;
import dev.escapement.testkit.ConditionPoller;
import dev.escapement.testkit.cluster.ClusterExtension;
import dev.escapement.testkit.cluster.TestCluster;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceQuotaBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** Failures of real Jobs. */
@ExtendWith(ClusterExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JobFailureIT {

    private final TestCluster cluster;
    private final RunTestBed testBed;
    private int number;

    JobFailureIT(TestCluster cluster) {
        this.cluster = cluster;
        this.testBed = RunTestBed.forJobs(cluster);
    }

    @AfterAll
    void close() {
        testBed.close();
    }

    private KubernetesClient admin() {
        return cluster.admin();
    }

    private Execution newExecution(String image) {
        return testBed.newExecution(++number, image);
    }

    private Execution newExecution(String image, Duration timeout) {
        return testBed.newExecution(++number, image, timeout);
    }

    private Execution newExecution(Map<String, String> parameters) {
        return testBed.newExecution(++number, "simulated.local/wait", parameters);
    }

    @Test
    void reportsOneCompletedTask() {
        assertThat(testBed.awaitEnd(testBed.startRun(newExecution("simulated.local/succeed"))))
                .isInstanceOfSatisfying(
                        Observation.Succeeded.class,
                        ended -> assertThat(ended.progress().totalTasks()).isEqualTo(1));
    }

    @Test
    void reportsExitCodeAsExecutionFailure() {
        Failure failure = testBed.awaitFailure(newExecution("simulated.local/exit:3"));
        assertThat(failure.reason()).isEqualTo(FailureReason.TaskFailed);
        assertThat(failure.exitCode()).contains(3);
        assertThat(failure.failedTaskName()).contains(JobTemplate.CONTAINER_NAME);
        assertThat(failure.wasExecutionFailure()).isTrue();
    }

    @Test
    void reportsOutOfMemory() {
        Failure failure = testBed.awaitFailure(newExecution("simulated.local/oom"));
        assertThat(failure.reason()).isEqualTo(FailureReason.OOMKilled);
        assertThat(failure.exitCode()).contains(137);
        assertThat(failure.wasExecutionFailure()).isTrue();
    }

    @Test
    void reportsTimeoutAsExecutionFailure() {
        Failure failure = testBed.awaitFailure(newExecution("simulated.local/hang", Duration.ofSeconds(10)));
        assertThat(failure.reason()).isEqualTo(FailureReason.DeadlineExceeded);
        assertThat(failure.wasExecutionFailure()).isTrue();
    }

    @Test
    void reportsUnschedulablePodAsStartFailure() {
        Failure failure = testBed.awaitFailure(newExecution("simulated.local/never-scheduled", Duration.ofSeconds(10)));
        assertThat(failure.reason()).isEqualTo(FailureReason.ResourceExhausted);
        assertThat(failure.wasExecutionFailure()).isFalse();
    }

    @Test
    void reportsCancelledAfterPodIsGone() {
        Execution execution = newExecution("simulated.local/hang");
        RunRef run = testBed.startRun(execution);
        testBed.awaitRunningPod(execution);
        testBed.runnerService().stop(run, "alice");
        Failure failure = testBed.awaitFailure(execution, run);
        assertThat(failure.reason()).isEqualTo(FailureReason.Cancelled);
        assertThat(failure.message()).contains("alice");
        assertThat(failure.wasExecutionFailure()).isTrue();
        assertThat(testBed.pods(execution)).isEmpty();
    }

    @Test
    void reportsDeletedJobAsMissing() {
        Execution execution = newExecution("simulated.local/hang");
        RunRef run = testBed.startRun(execution);
        testBed.awaitRunningPod(execution);
        job(run).delete();
        assertThat(testBed.awaitEnd(run)).isEqualTo(new Observation.Missing());
    }

    @Test
    void doesNotRestartJobResumedAndSuspendedExternally() {
        Execution execution = newExecution("simulated.local/hang");
        Preparation.Ready first = (Preparation.Ready) testBed.runnerService().prepare(execution);
        RunRef run = first.run();
        setSuspended(run, false);
        setSuspended(run, true);
        assertThat(testBed.runnerService().start(run, first.version(), 7))
                .as("under the version before the change")
                .isFalse();
        Observation observed = ConditionPoller.awaitPresent(
                "the change is observed",
                () -> Optional.of(testBed.runnerService().observe(run)).filter(Observation.Failed.class::isInstance));
        assertThat(observed).isInstanceOf(Observation.Failed.class);
        assertThat(testBed.runnerService().prepare(execution)).isInstanceOf(Preparation.Refused.class);
        assertThat(testBed.runnerService().start(run, first.version(), 7)).isFalse();
        assertThat(testBed.runnerService().remove(run, first.version())).isFalse();
    }

    private void setSuspended(RunRef run, boolean suspended) {
        job(run).patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\":{\"suspend\":%s}}".formatted(suspended));
    }

    private Resource<Job> job(RunRef run) {
        return admin().resources(Job.class)
                .inNamespace(testBed.namespace())
                .withName(run.name().substring(run.name().lastIndexOf('/') + 1));
    }

    @Test
    void passesValuesToPodUnchanged() {
        Map<String, String> values = Map.of(
                "QUOTES", "\"'`\\",
                "LINES", "a\nb\r\n\tc",
                "DOLLARS", "$(OTHER) $$(OTHER) ${OTHER} $",
                "OTHER", "x",
                "BIG", "0123456789".repeat(10_000));
        Execution execution = newExecution(values);
        testBed.startRun(execution);
        Pod pod = testBed.awaitRunningPod(execution);
        Map<String, String> found = pod.getSpec().getContainers().get(0).getEnv().stream()
                .collect(Collectors.toMap(EnvVar::getName, variable -> asKubernetesExpands(variable.getValue())));
        assertThat(found).containsAllEntriesOf(values);
    }

    /** Replaces {@code $$} by {@code $}; any other {@code $} would be a variable. */
    private static String asKubernetesExpands(String value) {
        assertThat(value.replace("$$", "")).doesNotContain("$");
        return value.replace("$$", "$");
    }

    @Test
    void refusesInvalidVariableName() {
        Failure failure = testBed.prepareRefused(newExecution(Map.of("A=B", "x")));
        assertThat(failure.reason()).isEqualTo(FailureReason.ConfigurationError);
        assertThat(failure.message()).contains("A=B");
        assertThat(failure.wasExecutionFailure()).isFalse();
    }

    @Test
    void refusesUnknownExecutor() {
        Failure failure = testBed.prepareRefused(testBed.newExecution(
                ++number,
                Map.of(),
                new WorkflowRef("repair", "", "simulated.local/succeed", ""),
                new ExecutionConfig(Optional.empty(), "", "argo")));
        assertThat(failure.reason()).isEqualTo(FailureReason.ValidationError);
        assertThat(failure.message()).contains("argo").contains("this operator has job");
        assertThat(failure.wasExecutionFailure()).isFalse();
    }

    @Test
    void refusesConflictingDigests() {
        WorkflowRef workflow = new WorkflowRef("repair", "", "simulated.local/wait@sha256:00", "sha256:11");
        Failure failure = testBed.prepareRefused(testBed.newExecution(
                ++number, Map.of(), workflow, new ExecutionConfig(Optional.empty(), "", KubernetesRunnerService.JOB)));
        assertThat(failure.reason()).isEqualTo(FailureReason.ValidationError);
    }

    @Test
    void reportsQuotaAsResourceExhausted() {
        try (RunTestBed limited = RunTestBed.forJobs(cluster)) {
            admin().resource(new ResourceQuotaBuilder()
                            .withNewMetadata()
                            .withName("none")
                            .withNamespace(limited.namespace())
                            .endMetadata()
                            .withNewSpec()
                            .addToHard("count/jobs.batch", new Quantity("0"))
                            .endSpec()
                            .build())
                    .create();
            Failure failure = ConditionPoller.awaitPresent("the quota", () -> {
                Execution execution = limited.newExecution(++number, "simulated.local/succeed");
                return limited.runnerService().prepare(execution) instanceof Preparation.Refused
                        ? Optional.of(limited.prepareRefused(execution))
                        : Optional.empty();
            });
            assertThat(failure.reason()).isEqualTo(FailureReason.ResourceExhausted);
            assertThat(failure.wasExecutionFailure()).isFalse();
        }
    }

    @Test
    void refusesMissingNamespace() {
        try (RunTestBed missing = new RunTestBed(KubernetesRunnerService.JOB, admin(), admin(), "no-such-namespace")) {
            Failure failure = missing.prepareRefused(missing.newExecution(1, "simulated.local/succeed"));
            assertThat(failure.reason()).isEqualTo(FailureReason.ConfigurationError);
            assertThat(failure.message()).contains("no-such-namespace");
            assertThat(failure.wasExecutionFailure()).isFalse();
        }
    }
}
