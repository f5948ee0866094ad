package dev.escapement.kubernetes.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.testkit.ConditionPoller;
import dev.escapement.testkit.cluster.ClusterExtension;
import io.fabric8.kubernetes.api.model.Pod;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Outcomes of executions that run as a Job. */
@ExtendWith({ClusterExtension.class, ScenarioExtension.class})
class JobOutcomesIT {

    private final OperatorScenario scenario;

    JobOutcomesIT(OperatorScenario scenario) {
        this.scenario = scenario;
    }

    @Test
    void completesWhenImageSucceeds() {
        CreatedExecution execution = scenario.jobWorkflow("succeed").create();

        StatusView finalStatus = execution.awaitFinal().assertCompleted();

        assertThat(finalStatus.text("pipelineRunRef.name"))
                .isEqualTo(execution.onlyRun().getMetadata().getName());
        assertThat(finalStatus.text("pipelineRunRef.kind")).isEqualTo("Job");
        assertThat(finalStatus.text("pipelineRunRef.namespace")).isEqualTo(InstalledCluster.RUN_NAMESPACE);
        assertThat(finalStatus.text("pipelineRunStatus.completedTasks")).isEqualTo("1");
        assertThat(scenario.entry(execution.target(), "CoolingDown").items("workflows"))
                .singleElement()
                .satisfies(
                        workflow -> assertThat(workflow.text("completed.uid")).isEqualTo(execution.uid()));
    }

    @Test
    void failedImageBlocksTarget() {
        CreatedExecution execution = scenario.jobWorkflow("exit:4").create();

        StatusView finalStatus = execution.awaitFinal().assertFailedDuringRun("TaskFailed");

        assertThat(finalStatus.text("failureDetails.exitCode")).isEqualTo("4");
        assertThat(finalStatus.text("failureDetails.naturalLanguageSummary")).contains("repair", execution.target());
        assertBlocked(execution);
    }

    @Test
    void outOfMemoryBlocksTarget() {
        CreatedExecution execution = scenario.jobWorkflow("oom").create();

        assertThat(execution.awaitFinal().assertFailedDuringRun("OOMKilled").text("failureDetails.exitCode"))
                .isEqualTo("137");
        assertBlocked(execution);
    }

    /** A Job waits for its image for two minutes, but not longer than its timeout. */
    @Test
    void imagePullFailureOnlyBacksOff() {
        CreatedExecution execution =
                scenario.jobWorkflow("pull-failure").withTimeout("10s").create();

        StatusView finalStatus = execution
                .awaitFinal()
                .assertFailedBeforeStart("ImagePullBackOff")
                .assertConsecutiveFailures(1);

        StatusView entry = scenario.entry(execution.target(), "BackingOff");
        assertThat(entry.text("retry.consecutiveFailures")).isEqualTo("1");
        assertThat(entry.time("retry.nextAllowedExecution")).isEqualTo(finalStatus.time("nextAllowedExecution"));
        assertThat(execution.onlyRun()).isNotNull();
    }

    /** The simulated node accepts any image name, so the test writes the reason of a real kubelet. */
    @Test
    void terminatesJobWithInvalidImageNameBeforeTimeout() {
        CreatedExecution execution =
                scenario.jobWorkflow("pull-failure").withTimeout("1h").create();
        Pod stuck = ConditionPoller.awaitPresent(
                "a pod waiting for its image",
                () -> scenario.pods(execution).stream()
                        .filter(pod -> pod.getStatus().getContainerStatuses().stream()
                                .anyMatch(container -> "ImagePullBackOff"
                                        .equals(container
                                                .getState()
                                                .getWaiting()
                                                .getReason())))
                        .findFirst());

        scenario.admin()
                .resource(stuck.edit()
                        .editStatus()
                        .editFirstContainerStatus()
                        .withNewState()
                        .withNewWaiting()
                        .withReason("InvalidImageName")
                        .withMessage("no such name")
                        .endWaiting()
                        .endState()
                        .endContainerStatus()
                        .endStatus()
                        .build())
                .patchStatus();

        StatusView finalStatus = execution
                .awaitFinal()
                .assertFailedBeforeStart("ImagePullBackOff")
                .assertConsecutiveFailures(1);
        assertThat(finalStatus.text("failureDetails.message")).isEqualTo("no such name");
        assertThat(execution.onlyRun().getMetadata().getAnnotations())
                .containsEntry("kubernaut.ai/given-up", "InvalidImageName");
        scenario.entry(execution.target(), "BackingOff");
    }

    @Test
    void deletedJobCountsAsExecutionFailure() {
        CreatedExecution execution = scenario.jobWorkflow("wait").create();
        scenario.awaitPod(execution, "Running");

        execution.markRunDeleted();
        scenario.admin().resource(execution.onlyRun()).delete();

        StatusView finalStatus = execution.awaitFinal().assertFailedDuringRun("PipelineRunDeleted");
        assertThat(finalStatus.text("failureDetails.message")).contains("no longer exists");
        assertBlocked(execution);
    }

    @Test
    void cancelledJobStopsAndBlocksTarget() {
        CreatedExecution execution = scenario.jobWorkflow("hang").create();
        scenario.awaitPod(execution, "Running");

        execution.cancel("alice");

        StatusView finalStatus = execution.awaitFinal().assertFailedDuringRun("Cancelled");
        assertThat(finalStatus.text("failureDetails.message")).contains("cancelled by alice");
        assertBlocked(execution);
    }

    private void assertBlocked(CreatedExecution blocker) {
        StatusView entry = scenario.entry(blocker.target(), "Blocked");
        assertThat(entry.items("workflows"))
                .singleElement()
                .satisfies(workflow -> assertThat(workflow.text("block.uid")).isEqualTo(blocker.uid()));
    }
}
