package dev.escapement.kubernetes.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.testkit.cluster.ClusterExtension;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Outcomes of executions whose PipelineRun ends by itself. */
@ExtendWith({ClusterExtension.class, ScenarioExtension.class})
class PipelineRunOutcomesIT {

    private final OperatorScenario scenario;

    PipelineRunOutcomesIT(OperatorScenario scenario) {
        this.scenario = scenario;
    }

    @Test
    void recordsSuccessForCooldown() {
        CreatedExecution execution =
                scenario.tektonWorkflow("succeed", "succeed").create();

        StatusView finalStatus = execution.awaitFinal().assertCompleted();

        assertThat(finalStatus.text("pipelineRunStatus.completedTasks")).isEqualTo("2");
        assertThat(finalStatus.text("pipelineRunStatus.totalTasks")).isEqualTo("2");
        assertThat(finalStatus.time("completionTime")).isAfterOrEqualTo(finalStatus.time("startTime"));
        assertThat(finalStatus.text("pipelineRunRef.kind")).isEqualTo("PipelineRun");
        assertThat(finalStatus.text("pipelineRunRef.namespace")).isEqualTo(InstalledCluster.RUN_NAMESPACE);
        assertThat(finalStatus.text("pipelineRunRef.name"))
                .isEqualTo(execution.onlyRun().getMetadata().getName());
        assertThat(finalStatus.text("duration")).isNotEqualTo("0s");
        StatusView entry = scenario.entry(execution.target(), "CoolingDown");
        assertThat(entry.contains("holder")).isFalse();
        assertThat(entry.items("workflows")).singleElement().satisfies(workflow -> {
            assertThat(workflow.text("workflowId")).isEqualTo("repair");
            assertThat(workflow.text("completed.uid")).isEqualTo(execution.uid());
        });
    }

    @Test
    void holdsTargetAndReportsProgressWhileRunning() {
        CreatedExecution execution = scenario.tektonWorkflow("succeed", "wait").create();

        StatusView running = execution.await(
                "running its second task",
                status -> status.text("pipelineRunStatus.completedTasks").equals("1"));

        assertThat(running.text("phase")).isEqualTo("Running");
        assertThat(running.text("pipelineRunStatus.totalTasks")).isEqualTo("2");
        assertThat(running.text("pipelineRunStatus.reason")).isEqualTo("Running");
        assertThat(running.text("pipelineRunStatus.message"))
                .contains("task 2 of 2")
                .contains("Tasks Completed: 1 (Failed: 0, Cancelled 0), Incomplete: 1, Skipped: 0");
        assertThat(running.condition("Succeeded")).isEqualTo("Unknown");
        StatusView entry = scenario.entry(execution.target(), "Held");
        assertThat(entry.text("holder.uid")).isEqualTo(execution.uid());
        assertThat(entry.text("holder.workflowId")).isEqualTo("repair");
        assertThat(entry.text("epoch")).isEqualTo(running.text("pipelineRunRef.epoch"));
        assertThat(entry.text("holder.pipelineRun.uid"))
                .isEqualTo(execution.onlyRun().getMetadata().getUid());
        scenario.endPod(execution, "succeed");
        execution.awaitFinal().assertCompleted();
    }

    @Test
    void failedTaskBlocksTargetUntilCleared() {
        CreatedExecution execution =
                scenario.tektonWorkflow("exit:3", "succeed").create();

        StatusView finalStatus = execution.awaitFinal().assertFailedDuringRun("TaskFailed");

        assertThat(finalStatus.text("failureDetails.failedTaskName")).isEqualTo("first");
        assertThat(finalStatus.text("failureDetails.failedTaskIndex")).isEqualTo("0");
        assertThat(finalStatus.text("failureDetails.failedStepName")).isEqualTo("work");
        assertThat(finalStatus.text("failureDetails.exitCode")).isEqualTo("3");
        assertThat(finalStatus.text("failureDetails.naturalLanguageSummary"))
                .contains("repair", execution.target(), "first", "2");
        assertBlockedBy(execution, "TaskFailed");
    }

    @Test
    void failedSecondTaskBlocksTarget() {
        CreatedExecution execution =
                scenario.tektonWorkflow("succeed", "exit:7").create();

        StatusView finalStatus = execution.awaitFinal().assertFailedDuringRun("TaskFailed");

        assertThat(finalStatus.text("failureDetails.failedTaskName")).isEqualTo("second");
        assertThat(finalStatus.text("failureDetails.failedTaskIndex")).isEqualTo("1");
        assertThat(finalStatus.text("failureDetails.exitCode")).isEqualTo("7");
        assertThat(finalStatus.text("pipelineRunStatus.status")).isEqualTo("Failed");
        assertThat(finalStatus.text("pipelineRunStatus.reason")).isEqualTo("Failed");
        assertThat(finalStatus.text("pipelineRunStatus.completedTasks")).isEqualTo("1");
        assertThat(finalStatus.text("pipelineRunStatus.totalTasks")).isEqualTo("2");
        assertBlockedBy(execution, "TaskFailed");
    }

    @Test
    void outOfMemoryBlocksTarget() {
        CreatedExecution execution = scenario.tektonWorkflow("oom").create();

        StatusView finalStatus = execution.awaitFinal().assertFailedDuringRun("OOMKilled");

        assertThat(finalStatus.text("failureDetails.exitCode")).isEqualTo("137");
        assertBlockedBy(execution, "OOMKilled");
    }

    @Test
    void imagePullFailureOfFirstTaskOnlyBacksOff() {
        CreatedExecution execution =
                scenario.tektonWorkflow("pull-failure", "succeed").create();

        StatusView finalStatus = execution
                .awaitFinal()
                .assertFailedBeforeStart("ImagePullBackOff")
                .assertConsecutiveFailures(1);

        assertThat(finalStatus.text("failureDetails.failedTaskName")).isEqualTo("first");
        assertThat(finalStatus.contains("failureDetails.exitCode")).isFalse();
        Duration wait =
                Duration.between(finalStatus.time("failureDetails.failedAt"), finalStatus.time("nextAllowedExecution"));
        assertThat(wait).isBetween(Duration.ofSeconds(60), Duration.ofSeconds(66));
        StatusView entry = scenario.entry(execution.target(), "BackingOff");
        assertThat(entry.text("retry.consecutiveFailures")).isEqualTo("1");
        assertThat(entry.time("retry.nextAllowedExecution")).isEqualTo(finalStatus.time("nextAllowedExecution"));
        CreatedExecution next = scenario.tektonWorkflow("succeed").create();
        StatusView skipped = next.awaitFinal().assertSkipped("RecentlyRemediated");
        assertThat(skipped.text("skipDetails.message"))
                .contains("could not start", execution.qualifiedName(), finalStatus.text("nextAllowedExecution"));
        assertThat(skipped.text("skipDetails.nextAllowedExecution"))
                .isEqualTo(finalStatus.text("nextAllowedExecution"));
        assertThat(skipped.text("skipDetails.recentRemediation.cooldownRemaining"))
                .isNotBlank();
        assertThat(next.runs()).isEmpty();
    }

    @Test
    void imagePullFailureAfterFirstTaskBlocksTarget() {
        CreatedExecution execution =
                scenario.tektonWorkflow("succeed", "pull-failure").create();

        StatusView finalStatus = execution.awaitFinal().assertFailedDuringRun("ImagePullBackOff");

        assertThat(finalStatus.text("failureDetails.failedTaskName")).isEqualTo("second");
        assertBlockedBy(execution, "ImagePullBackOff");
    }

    private void assertBlockedBy(CreatedExecution blocker, String reason) {
        StatusView entry = scenario.entry(blocker.target(), "Blocked");
        assertThat(entry.items("workflows")).singleElement().satisfies(workflow -> {
            assertThat(workflow.text("block.uid")).isEqualTo(blocker.uid());
            assertThat(workflow.text("block.reason")).isEqualTo(reason);
        });
        assertThat(blocker.onlyRun()).isNotNull();
        CreatedExecution next =
                scenario.namedTektonWorkflow("another", "succeed").create();
        assertThat(next.awaitFinal().assertSkipped("PreviousExecutionFailed").text("skipDetails.message"))
                .contains(blocker.qualifiedName(), reason, "until a person has looked and cleared it");
        assertThat(next.runs()).isEmpty();
    }
}
