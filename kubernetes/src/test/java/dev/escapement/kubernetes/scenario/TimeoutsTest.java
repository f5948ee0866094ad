package dev.escapement.kubernetes.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.cluster.testing.ClusterExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;

/** Executions whose time is up. They are asked for all at once, so that the waits are one wait. */
@ExtendWith({ClusterExtension.class, ScenarioExtension.class})
@TestInstance(Lifecycle.PER_CLASS)
class TimeoutsTest {

    /** Enough for a pod to start on a busy machine. */
    private static final String LATER = "15s";

    /** Enough for Tekton to note the pod that it made: one that it has not noted it does not delete. */
    private static final String SOON = "14s";

    private final Scenario scenario;
    private final Asked neverScheduled;
    private final Asked jobNeverScheduled;
    private final Asked hanging;
    private final Asked jobHanging;

    TimeoutsTest(Scenario scenario) {
        this.scenario = scenario;
        this.hanging =
                scenario.tekton("hang").on(scenario.otherTarget()).within(LATER).go();
        this.jobHanging =
                scenario.job("hang").on(scenario.otherTarget()).within(LATER).go();
        this.neverScheduled = scenario.tekton("never-scheduled")
                .on(scenario.otherTarget())
                .within(SOON)
                .go();
        this.jobNeverScheduled = scenario.job("never-scheduled")
                .on(scenario.otherTarget())
                .within(SOON)
                .go();
    }

    @Test
    void aRunWhosePodFindsNoNodeInTimeHasDoneNothing() {
        hasDoneNothing(neverScheduled);
    }

    @Test
    void aJobWhosePodFindsNoNodeInTimeHasDoneNothing() {
        hasDoneNothing(jobNeverScheduled);
    }

    private void hasDoneNothing(Asked asked) {
        Seen ended = asked.await("final", Seen::isFinal);
        assertThat(ended.at("failureDetails.reason")).isIn("DeadlineExceeded", "ResourceExhausted");
        ended.failedBefore(ended.at("failureDetails.reason")).counts(1);
        Seen entry = scenario.entry(asked.target(), "BackingOff");
        assertThat(entry.time("retry.nextAllowedExecution")).isEqualTo(ended.time("nextAllowedExecution"));
        assertThat(asked.run()).isNotNull();
    }

    @Test
    void aRunThatHangsIsEndedAndBlocksTheTarget() {
        blocks(hanging);
    }

    @Test
    void aJobThatHangsIsEndedAndBlocksTheTarget() {
        blocks(jobHanging);
    }

    private void blocks(Asked asked) {
        Seen ended = asked.ended().failedDuring("DeadlineExceeded");
        assertThat(ended.at("failureDetails.naturalLanguageSummary")).contains("time");
        assertThat(scenario.entry(asked.target(), "Blocked").all("workflows"))
                .singleElement()
                .satisfies(workflow -> assertThat(workflow.at("block.reason")).isEqualTo("DeadlineExceeded"));
        assertThat(asked.run()).isNotNull();
    }
}
