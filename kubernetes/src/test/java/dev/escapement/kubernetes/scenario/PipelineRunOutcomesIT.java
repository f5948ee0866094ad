package dev.escapement.kubernetes.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.testkit.cluster.ClusterExtension;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** How executions end whose PipelineRun ends by itself. */
@ExtendWith({ClusterExtension.class, ScenarioExtension.class})
class PipelineRunOutcomesIT {

    private final OperatorScenario scenario;

    PipelineRunOutcomesIT(OperatorScenario scenario) {
        this.scenario = scenario;
    }

    @Test
    void recordsSuccessForCooldown() {
        CreatedExecution asked = scenario.tektonWorkflow("succeed", "succeed").create();

        StatusView ended = asked.awaitFinal().assertCompleted();

        assertThat(ended.text("pipelineRunStatus.completedTasks")).isEqualTo("2");
        assertThat(ended.text("pipelineRunStatus.totalTasks")).isEqualTo("2");
        assertThat(ended.time("completionTime")).isAfterOrEqualTo(ended.time("startTime"));
        assertThat(ended.text("pipelineRunRef.name"))
                .isEqualTo("pipelinerun/" + InstalledCluster.RUN_NAMESPACE + "/"
                        + asked.onlyRun().getMetadata().getName());
        StatusView entry = scenario.entry(asked.target(), "Free");
        assertThat(entry.contains("holder")).isFalse();
        assertThat(entry.items("workflows")).singleElement().satisfies(workflow -> {
            assertThat(workflow.text("workflowId")).isEqualTo("repair");
            assertThat(workflow.text("completed.uid")).isEqualTo(asked.uid());
        });
    }

    @Test
    void holdsTargetAndReportsProgressWhileRunning() {
        CreatedExecution asked = scenario.tektonWorkflow("succeed", "wait").create();

        StatusView running = asked.await(
                "at its second task",
                seen -> seen.text("pipelineRunStatus.completedTasks").equals("1"));

        assertThat(running.text("phase")).isEqualTo("Running");
        assertThat(running.text("pipelineRunStatus.totalTasks")).isEqualTo("2");
        assertThat(running.condition("Succeeded")).isEqualTo("Unknown");
        StatusView entry = scenario.entry(asked.target(), "Held");
        assertThat(entry.text("holder.uid")).isEqualTo(asked.uid());
        assertThat(entry.text("holder.workflowId")).isEqualTo("repair");
        assertThat(entry.text("epoch")).isEqualTo(running.text("pipelineRunRef.epoch"));
        assertThat(entry.text("holder.pipelineRun.uid"))
                .isEqualTo(asked.onlyRun().getMetadata().getUid());
        scenario.endPod(asked, "succeed");
        asked.awaitFinal().assertCompleted();
    }

    @Test
    void failedTaskBlocksTargetUntilCleared() {
        CreatedExecution asked = scenario.tektonWorkflow("exit:3", "succeed").create();

        StatusView ended = asked.awaitFinal().assertFailedDuringRun("TaskFailed");

        assertThat(ended.text("failureDetails.failedTaskName")).isEqualTo("first");
        assertThat(ended.text("failureDetails.failedTaskIndex")).isEqualTo("0");
        assertThat(ended.text("failureDetails.failedStepName")).isEqualTo("work");
        assertThat(ended.text("failureDetails.exitCode")).isEqualTo("3");
        assertThat(ended.text("failureDetails.naturalLanguageSummary"))
                .contains("repair", asked.target(), "first", "2");
        assertBlockedBy(asked, "TaskFailed");
    }

    @Test
    void failedSecondTaskBlocksTarget() {
        CreatedExecution asked = scenario.tektonWorkflow("succeed", "exit:7").create();

        StatusView ended = asked.awaitFinal().assertFailedDuringRun("TaskFailed");

        assertThat(ended.text("failureDetails.failedTaskName")).isEqualTo("second");
        assertThat(ended.text("failureDetails.failedTaskIndex")).isEqualTo("1");
        assertThat(ended.text("failureDetails.exitCode")).isEqualTo("7");
        assertThat(ended.text("pipelineRunStatus.status")).isEqualTo("Failed");
        assertThat(ended.text("pipelineRunStatus.reason")).isEqualTo("Failed");
        assertThat(ended.text("pipelineRunStatus.completedTasks")).isEqualTo("1");
        assertThat(ended.text("pipelineRunStatus.totalTasks")).isEqualTo("2");
        assertBlockedBy(asked, "TaskFailed");
    }

    @Test
    void outOfMemoryBlocksTarget() {
        CreatedExecution asked = scenario.tektonWorkflow("oom").create();

        StatusView ended = asked.awaitFinal().assertFailedDuringRun("OOMKilled");

        assertThat(ended.text("failureDetails.exitCode")).isEqualTo("137");
        assertBlockedBy(asked, "OOMKilled");
    }

    @Test
    void imagePullFailureOfFirstTaskOnlyBacksOff() {
        CreatedExecution asked =
                scenario.tektonWorkflow("pull-failure", "succeed").create();

        StatusView ended =
                asked.awaitFinal().assertFailedBeforeStart("ImagePullBackOff").assertConsecutiveFailures(1);

        assertThat(ended.text("failureDetails.failedTaskName")).isEqualTo("first");
        assertThat(ended.contains("failureDetails.exitCode")).isFalse();
        Duration wait = Duration.between(ended.time("failureDetails.failedAt"), ended.time("nextAllowedExecution"));
        assertThat(wait).isBetween(Duration.ofSeconds(60), Duration.ofSeconds(66));
        StatusView entry = scenario.entry(asked.target(), "BackingOff");
        assertThat(entry.text("retry.consecutiveFailures")).isEqualTo("1");
        assertThat(entry.time("retry.nextAllowedExecution")).isEqualTo(ended.time("nextAllowedExecution"));
        CreatedExecution next = scenario.tektonWorkflow("succeed").create();
        StatusView skipped = next.awaitFinal().assertSkipped("RecentlyRemediated");
        assertThat(skipped.text("skipDetails.message"))
                .contains("could not start", asked.qualifiedName(), ended.text("nextAllowedExecution"));
        assertThat(skipped.text("skipDetails.nextAllowedExecution")).isEqualTo(ended.text("nextAllowedExecution"));
        assertThat(skipped.text("skipDetails.recentRemediation.cooldownRemaining"))
                .isNotBlank();
        assertThat(next.runs()).isEmpty();
    }

    @Test
    void imagePullFailureAfterFirstTaskBlocksTarget() {
        CreatedExecution asked =
                scenario.tektonWorkflow("succeed", "pull-failure").create();

        StatusView ended = asked.awaitFinal().assertFailedDuringRun("ImagePullBackOff");

        assertThat(ended.text("failureDetails.failedTaskName")).isEqualTo("second");
        assertBlockedBy(asked, "ImagePullBackOff");
    }

    private void assertBlockedBy(CreatedExecution culprit, String reason) {
        StatusView entry = scenario.entry(culprit.target(), "Blocked");
        assertThat(entry.items("workflows")).singleElement().satisfies(workflow -> {
            assertThat(workflow.text("block.uid")).isEqualTo(culprit.uid());
            assertThat(workflow.text("block.reason")).isEqualTo(reason);
        });
        assertThat(culprit.onlyRun()).isNotNull();
        CreatedExecution next =
                scenario.namedTektonWorkflow("another", "succeed").create();
        assertThat(next.awaitFinal().assertSkipped("PreviousExecutionFailed").text("skipDetails.message"))
                .contains(culprit.qualifiedName(), reason, "until a person has looked and cleared it");
        assertThat(next.runs()).isEmpty();
    }
}
