package dev.escapement.kubernetes.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.cluster.testing.ClusterExtension;
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

    /** A Job waits for its image until its time is up. */
    @Test
    void anImageThatCannotBePulledOnlyDelaysTheNextAttempt() {
        Asked asked = scenario.job("pull-failure").within("3s").go();

        Seen ended = asked.ended().failedBefore("ImagePullBackOff").counts(1);

        Seen entry = scenario.entry(asked.target(), "BackingOff");
        assertThat(entry.at("retry.consecutiveFailures")).isEqualTo("1");
        assertThat(entry.time("retry.nextAllowedExecution")).isEqualTo(ended.time("nextAllowedExecution"));
        assertThat(asked.run()).isNotNull();
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
