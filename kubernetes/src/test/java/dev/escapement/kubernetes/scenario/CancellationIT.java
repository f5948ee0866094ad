package dev.escapement.kubernetes.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.kubernetes.run.ClusterAwait;
import dev.escapement.kubernetes.run.TaskRunPods;
import dev.escapement.testkit.cluster.ClusterExtension;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Somebody writes their name into the annotation that stops an execution. */
@ExtendWith({ClusterExtension.class, ScenarioExtension.class})
class CancellationIT {

    private final OperatorScenario scenario;

    CancellationIT(OperatorScenario scenario) {
        this.scenario = scenario;
    }

    @Test
    void cancellingRunningExecutionBlocksTarget() {
        CreatedExecution asked = scenario.tektonWorkflow("succeed", "hang").create();
        asked.await(
                "at its second task",
                seen -> seen.text("pipelineRunStatus.completedTasks").equals("1"));

        asked.cancel("alice");

        StatusView ended = asked.awaitFinal().assertFailedDuringRun("Cancelled");
        assertThat(ended.text("failureDetails.message")).isEqualTo("cancelled by alice");
        assertThat(scenario.entry(asked.target(), "Blocked").items("workflows"))
                .singleElement()
                .satisfies(workflow -> assertThat(workflow.text("block.reason")).isEqualTo("Cancelled"));
        assertThat(asked.onlyRun().<String>get("spec", "status")).isEqualTo("Cancelled");
        assertThat(asked.eventReasons()).contains("CancellationRequested");
    }

    @Test
    void cancellingUnscheduledExecutionOnlyBacksOff() {
        CreatedExecution asked = scenario.tektonWorkflow("never-scheduled").create();
        // Tekton ends only those pods that it has noted: any other could start yet.
        ClusterAwait.untilTrue(
                "a pod is noted",
                () -> TaskRunPods.isRecorded(scenario.admin(), InstalledCluster.RUN_NAMESPACE, asked.uid()));

        asked.cancel("alice");

        asked.awaitFinal().assertFailedBeforeStart("Cancelled");
        scenario.entry(asked.target(), "BackingOff");
        assertThat(asked.onlyRun()).isNotNull();
    }

    /** Somebody's finalizer keeps it: it is there, and it is meant to be gone. */
    @Test
    void stopsTerminatingExecution() {
        CreatedExecution asked = scenario.jobWorkflow("hang").create();
        asked.addFinalizer();
        scenario.awaitPod(asked, "Running");

        asked.delete();

        StatusView ended = asked.awaitFinal().assertFailedDuringRun("Cancelled");
        assertThat(ended.text("failureDetails.message")).isEqualTo("cancelled by its deletion");
        asked.removeFinalizer();
    }

    @Test
    void neverRunsExecutionDeletedBeforeFirstReconcile() {
        List<CreatedExecution> asked = new ArrayList<>();
        scenario.runWithoutOperator(() -> {
            CreatedExecution leaving = scenario.jobWorkflow("succeed").create();
            leaving.addFinalizer();
            leaving.delete();
            asked.add(leaving);
        });

        assertThat(asked).singleElement().satisfies(leaving -> {
            StatusView ended = leaving.awaitFinal().assertFailedBeforeStart("Cancelled");
            assertThat(ended.contains("pipelineRunRef")).isFalse();
            assertThat(leaving.runs()).isEmpty();
            leaving.removeFinalizer();
        });
    }

    @Test
    void neverRunsExecutionCancelledBeforeFirstReconcile() {
        List<CreatedExecution> asked = new ArrayList<>();
        scenario.runWithoutOperator(() -> {
            CreatedExecution cancelled = scenario.tektonWorkflow("succeed").create();
            cancelled.cancel("alice");
            asked.add(cancelled);
        });

        assertThat(asked).hasSize(1).allSatisfy(this::assertNeverRan);
    }

    @Test
    void neverRunsExecutionCreatedAsCancelled() {
        assertNeverRan(scenario.tektonWorkflow("succeed").cancelledBy("alice").create());
    }

    /** It neither counts nor holds anything back. */
    private void assertNeverRan(CreatedExecution asked) {
        StatusView ended = asked.awaitFinal().assertFailedBeforeStart("Cancelled");
        assertThat(ended.text("failureDetails.message")).isEqualTo("cancelled by alice");
        assertThat(ended.contains("consecutiveFailures")).isFalse();
        assertThat(ended.contains("pipelineRunRef")).isFalse();
        assertThat(asked.runs()).isEmpty();
        assertThat(scenario.entry(asked.target())).isEmpty();
        scenario.tektonWorkflow("succeed").create().awaitFinal().assertCompleted();
    }

    @Test
    void ignoresCancellationOfFinishedExecution() {
        CreatedExecution asked = scenario.tektonWorkflow("succeed").create();
        StatusView ended = asked.awaitFinal().assertCompleted();

        asked.cancel("alice");

        // Whatever comes later on the same target shows that the wish was looked at.
        scenario.namedTektonWorkflow("other", "succeed").create().awaitFinal().assertCompleted();
        assertThat(asked.status()).isEqualTo(ended);
    }
}
