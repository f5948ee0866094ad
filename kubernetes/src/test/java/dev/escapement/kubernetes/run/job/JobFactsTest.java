package dev.escapement.kubernetes.run.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.cluster.testing.ClusterExtension;
import dev.escapement.cluster.testing.TestCluster;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionConfig;
import dev.escapement.engine.execution.RunRef;
import dev.escapement.engine.execution.WorkflowRef;
import dev.escapement.engine.port.WorkflowRunner.Observation;
import dev.escapement.engine.port.WorkflowRunner.Preparation;
import dev.escapement.governor.failure.Failure;
import dev.escapement.governor.failure.FailureReason;
import dev.escapement.kubernetes.run.Eventually;
import dev.escapement.kubernetes.run.KubernetesRuns;
import dev.escapement.kubernetes.run.RunBench;
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

/** What real Jobs say when they fail. */
@ExtendWith(ClusterExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JobFactsTest {

    private final TestCluster cluster;
    private final RunBench bench;
    private int number;

    JobFactsTest(TestCluster cluster) {
        this.cluster = cluster;
        this.bench = RunBench.jobs(cluster);
    }

    @AfterAll
    void close() {
        bench.close();
    }

    private KubernetesClient admin() {
        return cluster.admin();
    }

    private Execution execution(String image) {
        return bench.execution(++number, image);
    }

    private Execution execution(String image, Duration timeout) {
        return bench.execution(++number, image, timeout);
    }

    private Execution execution(Map<String, String> parameters) {
        return bench.execution(++number, "simulated.local/wait", parameters);
    }

    @Test
    void aJobThatEndsWellHasOneTaskDone() {
        assertThat(bench.ended(bench.go(execution("simulated.local/succeed"))))
                .isInstanceOfSatisfying(
                        Observation.Succeeded.class,
                        ended -> assertThat(ended.progress().totalTasks()).isEqualTo(1));
    }

    @Test
    void anExitCodeIsToldAndCountsAsHavingRun() {
        Failure failure = bench.failure(execution("simulated.local/exit:3"));
        assertThat(failure.reason()).isEqualTo(FailureReason.TaskFailed);
        assertThat(failure.exitCode()).contains(3);
        assertThat(failure.failedTaskName()).contains(JobTemplate.CONTAINER);
        assertThat(failure.wasExecutionFailure()).isTrue();
    }

    @Test
    void theMemoryIsBlamedIfItWasTheMemory() {
        Failure failure = bench.failure(execution("simulated.local/oom"));
        assertThat(failure.reason()).isEqualTo(FailureReason.OOMKilled);
        assertThat(failure.exitCode()).contains(137);
        assertThat(failure.wasExecutionFailure()).isTrue();
    }

    @Test
    void aJobThatTakesTooLongIsLateAndMayHaveDoneHarm() {
        Failure failure = bench.failure(execution("simulated.local/hang", Duration.ofSeconds(10)));
        assertThat(failure.reason()).isEqualTo(FailureReason.DeadlineExceeded);
        assertThat(failure.wasExecutionFailure()).isTrue();
    }

    @Test
    void aJobThatFindsNoNodeInTimeHadNoRoomBeforeTheExecution() {
        Failure failure = bench.failure(execution("simulated.local/never-scheduled", Duration.ofSeconds(10)));
        assertThat(failure.reason()).isEqualTo(FailureReason.ResourceExhausted);
        assertThat(failure.wasExecutionFailure()).isFalse();
    }

    @Test
    void aStoppedJobIsCancelledWhenItsPodIsGone() {
        Execution execution = execution("simulated.local/hang");
        RunRef run = bench.go(execution);
        bench.running(execution);
        bench.runs().stop(run, "alice");
        Failure failure = bench.failure(execution, run);
        assertThat(failure.reason()).isEqualTo(FailureReason.Cancelled);
        assertThat(failure.message()).contains("alice");
        assertThat(failure.wasExecutionFailure()).isTrue();
        assertThat(bench.pods(execution)).isEmpty();
    }

    @Test
    void aJobThatWasDeletedIsMissing() {
        Execution execution = execution("simulated.local/hang");
        RunRef run = bench.go(execution);
        bench.running(execution);
        job(run).delete();
        assertThat(bench.ended(run)).isEqualTo(new Observation.Missing());
    }

    @Test
    void aJobThatSomebodyLetGoAndSuspendedAgainIsNotStartedASecondTime() {
        Execution execution = execution("simulated.local/hang");
        Preparation.Ready first = (Preparation.Ready) bench.runs().prepare(execution);
        RunRef run = first.run();
        suspend(run, false);
        suspend(run, true);
        assertThat(bench.runs().start(run, first.version(), 7))
                .as("under the version that was seen before")
                .isFalse();
        Observation observed = Eventually.is(
                "that it was changed",
                () -> Optional.of(bench.runs().observe(run)).filter(Observation.Failed.class::isInstance));
        assertThat(observed).isInstanceOf(Observation.Failed.class);
        Preparation.Ready again = (Preparation.Ready) bench.runs().prepare(execution);
        assertThat(again.run()).isEqualTo(run);
        assertThat(bench.runs().start(run, again.version(), 7)).isFalse();
        assertThat(bench.runs().remove(run, again.version())).isFalse();
    }

    private void suspend(RunRef run, boolean suspended) {
        job(run).patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\":{\"suspend\":%s}}".formatted(suspended));
    }

    private Resource<Job> job(RunRef run) {
        return admin().resources(Job.class)
                .inNamespace(bench.namespace())
                .withName(run.name().substring(run.name().lastIndexOf('/') + 1));
    }

    @Test
    void valuesReachThePodAsTheyAre() {
        Map<String, String> values = Map.of(
                "QUOTES", "\"'`\\",
                "LINES", "a\nb\r\n\tc",
                "DOLLARS", "$(OTHER) $$(OTHER) ${OTHER} $",
                "OTHER", "x",
                "BIG", "0123456789".repeat(10_000));
        Execution execution = execution(values);
        bench.go(execution);
        Pod pod = bench.running(execution);
        Map<String, String> found = pod.getSpec().getContainers().get(0).getEnv().stream()
                .collect(Collectors.toMap(EnvVar::getName, variable -> asKubernetesExpands(variable.getValue())));
        assertThat(found).containsAllEntriesOf(values);
    }

    /** No variable is left to be expanded; what stands for one dollar is two. */
    private static String asKubernetesExpands(String value) {
        assertThat(value.replace("$$", "")).doesNotContain("$");
        return value.replace("$$", "$");
    }

    @Test
    void aNameThatIsNoVariableIsRefused() {
        Failure failure = bench.refusal(execution(Map.of("A=B", "x")));
        assertThat(failure.reason()).isEqualTo(FailureReason.ConfigurationError);
        assertThat(failure.message()).contains("A=B");
        assertThat(failure.wasExecutionFailure()).isFalse();
    }

    @Test
    void anExecutorThatThereIsNotIsRefused() {
        Failure failure = bench.refusal(bench.execution(
                ++number,
                Map.of(),
                new WorkflowRef("repair", "", "simulated.local/succeed", ""),
                new ExecutionConfig(Optional.empty(), "", "argo")));
        assertThat(failure.reason()).isEqualTo(FailureReason.ConfigurationError);
        assertThat(failure.message()).contains("argo").contains("this operator has job");
        assertThat(failure.wasExecutionFailure()).isFalse();
    }

    @Test
    void anImageWithTwoDigestsIsRefused() {
        WorkflowRef workflow = new WorkflowRef("repair", "", "simulated.local/wait@sha256:00", "sha256:11");
        Failure failure = bench.refusal(bench.execution(
                ++number, Map.of(), workflow, new ExecutionConfig(Optional.empty(), "", KubernetesRuns.JOB)));
        assertThat(failure.reason()).isEqualTo(FailureReason.ValidationError);
    }

    @Test
    void aQuotaIsToldFromRights() {
        try (RunBench small = RunBench.jobs(cluster)) {
            admin().resource(new ResourceQuotaBuilder()
                            .withNewMetadata()
                            .withName("none")
                            .withNamespace(small.namespace())
                            .endMetadata()
                            .withNewSpec()
                            .addToHard("count/jobs.batch", new Quantity("0"))
                            .endSpec()
                            .build())
                    .create();
            Failure failure = Eventually.is("the quota", () -> {
                Execution execution = small.execution(++number, "simulated.local/succeed");
                return small.runs().prepare(execution) instanceof Preparation.Refused
                        ? Optional.of(small.refusal(execution))
                        : Optional.empty();
            });
            assertThat(failure.reason()).isEqualTo(FailureReason.ResourceExhausted);
            assertThat(failure.wasExecutionFailure()).isFalse();
        }
    }

    @Test
    void aNamespaceThatThereIsNotIsRefused() {
        try (RunBench nowhere = new RunBench(KubernetesRuns.JOB, admin(), admin(), "no-such-namespace")) {
            Failure failure = nowhere.refusal(nowhere.execution(1, "simulated.local/succeed"));
            assertThat(failure.reason()).isEqualTo(FailureReason.ConfigurationError);
            assertThat(failure.message()).contains("no-such-namespace");
            assertThat(failure.wasExecutionFailure()).isFalse();
        }
    }
}
