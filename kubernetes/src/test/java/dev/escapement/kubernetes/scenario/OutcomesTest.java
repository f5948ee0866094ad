package dev.escapement.kubernetes.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.cluster.testing.ClusterExtension;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** How executions end whose PipelineRun ends by itself. */
@ExtendWith({ClusterExtension.class, ScenarioExtension.class})
class OutcomesTest {

    private final Scenario scenario;

    OutcomesTest(Scenario scenario) {
        this.scenario = scenario;
    }

    @Test
    void aWorkflowThatSucceedsIsRememberedForItsCooldown() {
        Asked asked = scenario.tekton("succeed", "succeed").go();

        Seen ended = asked.ended().completed();

        assertThat(ended.at("pipelineRunStatus.completedTasks")).isEqualTo("2");
        assertThat(ended.at("pipelineRunStatus.totalTasks")).isEqualTo("2");
        assertThat(ended.time("completionTime")).isAfterOrEqualTo(ended.time("startTime"));
        assertThat(ended.at("pipelineRunRef.name"))
                .isEqualTo("pipelinerun/" + Installed.RUNS + "/"
                        + asked.run().getMetadata().getName());
        Seen entry = scenario.entry(asked.target(), "Free");
        assertThat(entry.has("holder")).isFalse();
        assertThat(entry.all("workflows")).singleElement().satisfies(workflow -> {
            assertThat(workflow.at("workflowId")).isEqualTo("repair");
            assertThat(workflow.at("completed.uid")).isEqualTo(asked.uid());
        });
    }

    @Test
    void whileItRunsTheTargetIsHeldAndTheProgressIsTrue() {
        Asked asked = scenario.tekton("succeed", "wait").go();

        Seen running = asked.await(
                "at its second task",
                seen -> seen.at("pipelineRunStatus.completedTasks").equals("1"));

        assertThat(running.at("phase")).isEqualTo("Running");
        assertThat(running.at("pipelineRunStatus.totalTasks")).isEqualTo("2");
        assertThat(running.condition("Succeeded")).isEqualTo("Unknown");
        Seen entry = scenario.entry(asked.target(), "Held");
        assertThat(entry.at("holder.uid")).isEqualTo(asked.uid());
        assertThat(entry.at("holder.workflowId")).isEqualTo("repair");
        assertThat(entry.at("epoch")).isEqualTo(running.at("pipelineRunRef.epoch"));
        assertThat(entry.at("holder.pipelineRun.uid"))
                .isEqualTo(asked.run().getMetadata().getUid());
        scenario.end(asked, "succeed");
        asked.ended().completed();
    }

    @Test
    void aTaskThatFailsBlocksTheTargetUntilAPersonHasLooked() {
        Asked asked = scenario.tekton("exit:3", "succeed").go();

        Seen ended = asked.ended().failedDuring("TaskFailed");

        assertThat(ended.at("failureDetails.failedTaskName")).isEqualTo("first");
        assertThat(ended.at("failureDetails.failedTaskIndex")).isEqualTo("0");
        assertThat(ended.at("failureDetails.failedStepName")).isEqualTo("work");
        assertThat(ended.at("failureDetails.exitCode")).isEqualTo("3");
        assertThat(ended.at("failureDetails.naturalLanguageSummary")).contains("repair", asked.target(), "first", "2");
        isBlockedBy(asked, "TaskFailed");
    }

    @Test
    void aSecondTaskThatFailsAfterAGoodFirstBlocksTheTarget() {
        Asked asked = scenario.tekton("succeed", "exit:7").go();

        Seen ended = asked.ended().failedDuring("TaskFailed");

        assertThat(ended.at("failureDetails.failedTaskName")).isEqualTo("second");
        assertThat(ended.at("failureDetails.failedTaskIndex")).isEqualTo("1");
        assertThat(ended.at("failureDetails.exitCode")).isEqualTo("7");
        assertThat(ended.at("pipelineRunStatus.status")).isEqualTo("Failed");
        assertThat(ended.at("pipelineRunStatus.reason")).isEqualTo("Failed");
        assertThat(ended.at("pipelineRunStatus.completedTasks")).isEqualTo("1");
        assertThat(ended.at("pipelineRunStatus.totalTasks")).isEqualTo("2");
        isBlockedBy(asked, "TaskFailed");
    }

    @Test
    void aTaskThatIsKilledForItsMemoryBlocksTheTarget() {
        Asked asked = scenario.tekton("oom").go();

        Seen ended = asked.ended().failedDuring("OOMKilled");

        assertThat(ended.at("failureDetails.exitCode")).isEqualTo("137");
        isBlockedBy(asked, "OOMKilled");
    }

    @Test
    void anImageThatCannotBePulledBeforeAnythingRanOnlyDelaysTheNextAttempt() {
        Asked asked = scenario.tekton("pull-failure", "succeed").go();

        Seen ended = asked.ended().failedBefore("ImagePullBackOff").counts(1);

        assertThat(ended.at("failureDetails.failedTaskName")).isEqualTo("first");
        assertThat(ended.has("failureDetails.exitCode")).isFalse();
        Duration wait = Duration.between(ended.time("failureDetails.failedAt"), ended.time("nextAllowedExecution"));
        assertThat(wait).isBetween(Duration.ofSeconds(60), Duration.ofSeconds(66));
        Seen entry = scenario.entry(asked.target(), "BackingOff");
        assertThat(entry.at("retry.consecutiveFailures")).isEqualTo("1");
        assertThat(entry.time("retry.nextAllowedExecution")).isEqualTo(ended.time("nextAllowedExecution"));
        Asked next = scenario.tekton("succeed").go();
        Seen skipped = next.ended().skipped("RecentlyRemediated");
        assertThat(skipped.at("skipDetails.message"))
                .contains("could not start", asked.title(), ended.at("nextAllowedExecution"));
        assertThat(skipped.at("skipDetails.nextAllowedExecution")).isEqualTo(ended.at("nextAllowedExecution"));
        assertThat(skipped.at("skipDetails.recentRemediation.cooldownRemaining"))
                .isNotBlank();
        assertThat(next.runs()).isEmpty();
    }

    @Test
    void anImageThatCannotBePulledAfterATaskRanBlocksTheTarget() {
        Asked asked = scenario.tekton("succeed", "pull-failure").go();

        Seen ended = asked.ended().failedDuring("ImagePullBackOff");

        assertThat(ended.at("failureDetails.failedTaskName")).isEqualTo("second");
        isBlockedBy(asked, "ImagePullBackOff");
    }

    private void isBlockedBy(Asked culprit, String reason) {
        Seen entry = scenario.entry(culprit.target(), "Blocked");
        assertThat(entry.all("workflows")).singleElement().satisfies(workflow -> {
            assertThat(workflow.at("block.uid")).isEqualTo(culprit.uid());
            assertThat(workflow.at("block.reason")).isEqualTo(reason);
        });
        assertThat(culprit.run()).isNotNull();
        Asked next = scenario.tektonAs("another", "succeed").go();
        assertThat(next.ended().skipped("PreviousExecutionFailed").at("skipDetails.message"))
                .contains(culprit.title(), reason, "until a person has looked and cleared it");
        assertThat(next.runs()).isEmpty();
    }
}
