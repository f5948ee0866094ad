package dev.escapement.kubernetes.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.cluster.testing.ClusterExtension;
import dev.escapement.kubernetes.run.Eventually;
import dev.escapement.kubernetes.run.NotedPods;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Somebody writes their name into the annotation that stops an execution. */
@ExtendWith({ClusterExtension.class, ScenarioExtension.class})
class CancellationTest {

    private final Scenario scenario;

    CancellationTest(Scenario scenario) {
        this.scenario = scenario;
    }

    @Test
    void anExecutionThatRunsIsStoppedAndBlocksTheTarget() {
        Asked asked = scenario.tekton("succeed", "hang").go();
        asked.await(
                "at its second task",
                seen -> seen.at("pipelineRunStatus.completedTasks").equals("1"));

        asked.cancel("alice");

        Seen ended = asked.ended().failedDuring("Cancelled");
        assertThat(ended.at("failureDetails.message")).isEqualTo("cancelled by alice");
        assertThat(scenario.entry(asked.target(), "Blocked").all("workflows"))
                .singleElement()
                .satisfies(workflow -> assertThat(workflow.at("block.reason")).isEqualTo("Cancelled"));
        assertThat(asked.run().<String>get("spec", "status")).isEqualTo("Cancelled");
        assertThat(asked.told()).contains("CancellationRequested");
    }

    @Test
    void anExecutionWhosePodHasNotStartedIsStoppedAndBlocksNothing() {
        Asked asked = scenario.tekton("never-scheduled").go();
        // Tekton ends only those pods that it has noted: any other could start yet.
        Eventually.holds("a pod is noted", () -> NotedPods.of(scenario.admin(), Installed.RUNS, asked.uid()));

        asked.cancel("alice");

        asked.ended().failedBefore("Cancelled");
        scenario.entry(asked.target(), "BackingOff");
        assertThat(asked.run()).isNotNull();
    }

    /** Somebody's finalizer keeps it: it is there, and it is meant to be gone. */
    @Test
    void anExecutionThatIsBeingDeletedIsStopped() {
        Asked asked = scenario.job("hang").go();
        asked.keep();
        scenario.pod(asked, "Running");

        asked.delete();

        Seen ended = asked.ended().failedDuring("Cancelled");
        assertThat(ended.at("failureDetails.message")).isEqualTo("cancelled by its deletion");
        asked.letGo();
    }

    @Test
    void anExecutionThatIsBeingDeletedBeforeAnybodyLookedNeverRuns() {
        List<Asked> asked = new ArrayList<>();
        scenario.withoutOperator(() -> {
            Asked leaving = scenario.job("succeed").go();
            leaving.keep();
            leaving.delete();
            asked.add(leaving);
        });

        assertThat(asked).singleElement().satisfies(leaving -> {
            Seen ended = leaving.ended().failedBefore("Cancelled");
            assertThat(ended.has("pipelineRunRef")).isFalse();
            assertThat(leaving.runs()).isEmpty();
            leaving.letGo();
        });
    }

    @Test
    void anExecutionThatWasCancelledBeforeAnybodyLookedNeverRuns() {
        List<Asked> asked = new ArrayList<>();
        scenario.withoutOperator(() -> {
            Asked cancelled = scenario.tekton("succeed").go();
            cancelled.cancel("alice");
            asked.add(cancelled);
        });

        assertThat(asked).hasSize(1).allSatisfy(this::neverRan);
    }

    @Test
    void anExecutionThatIsAskedForAsCancelledNeverRuns() {
        neverRan(scenario.tekton("succeed").cancelledBy("alice").go());
    }

    /** It neither counts nor holds anything back. */
    private void neverRan(Asked asked) {
        Seen ended = asked.ended().failedBefore("Cancelled");
        assertThat(ended.at("failureDetails.message")).isEqualTo("cancelled by alice");
        assertThat(ended.has("consecutiveFailures")).isFalse();
        assertThat(ended.has("pipelineRunRef")).isFalse();
        assertThat(asked.runs()).isEmpty();
        assertThat(scenario.entry(asked.target())).isEmpty();
        scenario.tekton("succeed").go().ended().completed();
    }

    @Test
    void whatIsOverStaysAsItIs() {
        Asked asked = scenario.tekton("succeed").go();
        Seen ended = asked.ended().completed();

        asked.cancel("alice");

        // Whatever comes later on the same target shows that the wish was looked at.
        scenario.tektonAs("other", "succeed").go().ended().completed();
        assertThat(asked.status()).isEqualTo(ended);
    }
}
