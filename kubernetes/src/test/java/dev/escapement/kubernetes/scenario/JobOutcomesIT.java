package dev.escapement.kubernetes.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.kubernetes.run.ClusterAwait;
import dev.escapement.testkit.cluster.ClusterExtension;
import io.fabric8.kubernetes.api.model.Pod;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** How executions end that run as a Job. */
@ExtendWith({ClusterExtension.class, ScenarioExtension.class})
class JobOutcomesIT {

    private final OperatorScenario scenario;

    JobOutcomesIT(OperatorScenario scenario) {
        this.scenario = scenario;
    }

    @Test
    void completesWhenImageSucceeds() {
        CreatedExecution asked = scenario.jobWorkflow("succeed").create();

        StatusView ended = asked.awaitFinal().assertCompleted();

        assertThat(ended.text("pipelineRunRef.name"))
                .isEqualTo("job/" + InstalledCluster.RUN_NAMESPACE + "/"
                        + asked.onlyRun().getMetadata().getName());
        assertThat(ended.text("pipelineRunStatus.completedTasks")).isEqualTo("1");
        assertThat(scenario.entry(asked.target(), "Free").items("workflows"))
                .singleElement()
                .satisfies(
                        workflow -> assertThat(workflow.text("completed.uid")).isEqualTo(asked.uid()));
    }

    @Test
    void failedImageBlocksTarget() {
        CreatedExecution asked = scenario.jobWorkflow("exit:4").create();

        StatusView ended = asked.awaitFinal().assertFailedDuringRun("TaskFailed");

        assertThat(ended.text("failureDetails.exitCode")).isEqualTo("4");
        assertThat(ended.text("failureDetails.naturalLanguageSummary")).contains("repair", asked.target());
        assertBlocked(asked);
    }

    @Test
    void outOfMemoryBlocksTarget() {
        CreatedExecution asked = scenario.jobWorkflow("oom").create();

        assertThat(asked.awaitFinal().assertFailedDuringRun("OOMKilled").text("failureDetails.exitCode"))
                .isEqualTo("137");
        assertBlocked(asked);
    }

    /** A Job waits for its image for a while, but not longer than its time. */
    @Test
    void imagePullFailureOnlyBacksOff() {
        CreatedExecution asked =
                scenario.jobWorkflow("pull-failure").withTimeout("10s").create();

        StatusView ended =
                asked.awaitFinal().assertFailedBeforeStart("ImagePullBackOff").assertConsecutiveFailures(1);

        StatusView entry = scenario.entry(asked.target(), "BackingOff");
        assertThat(entry.text("retry.consecutiveFailures")).isEqualTo("1");
        assertThat(entry.time("retry.nextAllowedExecution")).isEqualTo(ended.time("nextAllowedExecution"));
        assertThat(asked.onlyRun()).isNotNull();
    }

    /** The simulated node takes any name; so the word of a real one is put into its mouth. */
    @Test
    void terminatesJobWithInvalidImageNameBeforeTimeout() {
        CreatedExecution asked =
                scenario.jobWorkflow("pull-failure").withTimeout("1h").create();
        Pod stuck = ClusterAwait.untilPresent(
                "a pod without its image",
                () -> scenario.pods(asked).stream()
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

        StatusView ended =
                asked.awaitFinal().assertFailedBeforeStart("ImagePullBackOff").assertConsecutiveFailures(1);
        assertThat(ended.text("failureDetails.message")).isEqualTo("no such name");
        assertThat(asked.onlyRun().getMetadata().getAnnotations())
                .containsEntry("kubernaut.ai/given-up", "InvalidImageName");
        scenario.entry(asked.target(), "BackingOff");
    }

    @Test
    void deletedJobCountsAsExecutionFailure() {
        CreatedExecution asked = scenario.jobWorkflow("wait").create();
        scenario.awaitPod(asked, "Running");

        asked.markRunDeleted();
        scenario.admin().resource(asked.onlyRun()).delete();

        StatusView ended = asked.awaitFinal().assertFailedDuringRun("PipelineRunDeleted");
        assertThat(ended.text("failureDetails.message")).contains("no longer exists");
        assertBlocked(asked);
    }

    @Test
    void cancelledJobStopsAndBlocksTarget() {
        CreatedExecution asked = scenario.jobWorkflow("hang").create();
        scenario.awaitPod(asked, "Running");

        asked.cancel("alice");

        StatusView ended = asked.awaitFinal().assertFailedDuringRun("Cancelled");
        assertThat(ended.text("failureDetails.message")).contains("cancelled by alice");
        assertBlocked(asked);
    }

    private void assertBlocked(CreatedExecution culprit) {
        StatusView entry = scenario.entry(culprit.target(), "Blocked");
        assertThat(entry.items("workflows"))
                .singleElement()
                .satisfies(workflow -> assertThat(workflow.text("block.uid")).isEqualTo(culprit.uid()));
    }
}
