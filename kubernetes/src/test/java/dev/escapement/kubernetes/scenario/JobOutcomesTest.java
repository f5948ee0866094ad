package dev.escapement.kubernetes.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.cluster.testing.ClusterExtension;
import dev.escapement.kubernetes.run.Eventually;
import io.fabric8.kubernetes.api.model.Pod;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** How executions end that run as a Job. */
@ExtendWith({ClusterExtension.class, ScenarioExtension.class})
class JobOutcomesTest {

    private final Scenario scenario;

    JobOutcomesTest(Scenario scenario) {
        this.scenario = scenario;
    }

    @Test
    void anImageThatSucceedsCompletes() {
        Asked asked = scenario.job("succeed").go();

        Seen ended = asked.ended().completed();

        assertThat(ended.at("pipelineRunRef.name"))
                .isEqualTo("job/" + Installed.RUNS + "/"
                        + asked.run().getMetadata().getName());
        assertThat(ended.at("pipelineRunStatus.completedTasks")).isEqualTo("1");
        assertThat(scenario.entry(asked.target(), "Free").all("workflows"))
                .singleElement()
                .satisfies(workflow -> assertThat(workflow.at("completed.uid")).isEqualTo(asked.uid()));
    }

    @Test
    void anImageThatFailsBlocksTheTarget() {
        Asked asked = scenario.job("exit:4").go();

        Seen ended = asked.ended().failedDuring("TaskFailed");

        assertThat(ended.at("failureDetails.exitCode")).isEqualTo("4");
        assertThat(ended.at("failureDetails.naturalLanguageSummary")).contains("repair", asked.target());
        isBlocked(asked);
    }

    @Test
    void anImageThatIsKilledForItsMemoryBlocksTheTarget() {
        Asked asked = scenario.job("oom").go();

        assertThat(asked.ended().failedDuring("OOMKilled").at("failureDetails.exitCode"))
                .isEqualTo("137");
        isBlocked(asked);
    }

    /** A Job waits for its image for a while, but not longer than its time. */
    @Test
    void anImageThatCannotBePulledOnlyDelaysTheNextAttempt() {
        Asked asked = scenario.job("pull-failure").within("10s").go();

        Seen ended = asked.ended().failedBefore("ImagePullBackOff").counts(1);

        Seen entry = scenario.entry(asked.target(), "BackingOff");
        assertThat(entry.at("retry.consecutiveFailures")).isEqualTo("1");
        assertThat(entry.time("retry.nextAllowedExecution")).isEqualTo(ended.time("nextAllowedExecution"));
        assertThat(asked.run()).isNotNull();
    }

    /** The simulated node takes any name; so the word of a real one is put into its mouth. */
    @Test
    void aJobWhoseImageCanHaveNoSuchNameIsGivenUpLongBeforeItsTimeIsUp() {
        Asked asked = scenario.job("pull-failure").within("1h").go();
        Pod stuck = Eventually.is(
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

        Seen ended = asked.ended().failedBefore("ImagePullBackOff").counts(1);
        assertThat(ended.at("failureDetails.message")).isEqualTo("no such name");
        assertThat(asked.run().getMetadata().getAnnotations())
                .containsEntry("kubernaut.ai/given-up", "InvalidImageName");
        scenario.entry(asked.target(), "BackingOff");
    }

    @Test
    void aJobThatSomebodyDeletesCountsAsHavingRun() {
        Asked asked = scenario.job("wait").go();
        scenario.pod(asked, "Running");

        asked.runIsGone();
        scenario.admin().resource(asked.run()).delete();

        Seen ended = asked.ended().failedDuring("PipelineRunDeleted");
        assertThat(ended.at("failureDetails.message")).contains("no longer exists");
        isBlocked(asked);
    }

    @Test
    void aJobThatIsCancelledStopsAndBlocksTheTarget() {
        Asked asked = scenario.job("hang").go();
        scenario.pod(asked, "Running");

        asked.cancel("alice");

        Seen ended = asked.ended().failedDuring("Cancelled");
        assertThat(ended.at("failureDetails.message")).contains("cancelled by alice");
        isBlocked(asked);
    }

    private void isBlocked(Asked culprit) {
        Seen entry = scenario.entry(culprit.target(), "Blocked");
        assertThat(entry.all("workflows"))
                .singleElement()
                .satisfies(workflow -> assertThat(workflow.at("block.uid")).isEqualTo(culprit.uid()));
    }
}
