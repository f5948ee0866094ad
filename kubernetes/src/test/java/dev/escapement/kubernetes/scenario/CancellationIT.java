package dev.escapement.kubernetes.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.kubernetes.run.TaskRunPods;
import dev.escapement.testkit.ConditionPoller;
import dev.escapement.testkit.cluster.ClusterExtension;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Executions that are cancelled by annotation or by deletion. */
@ExtendWith({ClusterExtension.class, ScenarioExtension.class})
class CancellationIT {

    private final OperatorScenario scenario;

    CancellationIT(OperatorScenario scenario) {
        this.scenario = scenario;
    }

    @Test
    void cancellingRunningExecutionBlocksTarget() {
        CreatedExecution execution = scenario.tektonWorkflow("succeed", "hang").create();
        execution.await(
                "running its second task",
                status -> status.text("pipelineRunStatus.completedTasks").equals("1"));

        execution.cancel("alice");

        StatusView finalStatus = execution.awaitFinal().assertFailedDuringRun("Cancelled");
        assertThat(finalStatus.text("failureDetails.message")).isEqualTo("cancelled by alice");
        assertThat(scenario.entry(execution.target(), "Blocked").items("workflows"))
                .singleElement()
                .satisfies(workflow -> assertThat(workflow.text("block.reason")).isEqualTo("Cancelled"));
        assertThat(execution.onlyRun().<String>get("spec", "status")).isEqualTo("Cancelled");
        assertThat(execution.eventReasons()).contains("CancellationRequested");
    }

    @Test
    void cancellingUnscheduledExecutionOnlyBacksOff() {
        CreatedExecution execution = scenario.tektonWorkflow("never-scheduled").create();
        // Tekton deletes only the pods in its status: any other could still start.
        ConditionPoller.await(
                "a pod is recorded",
                () -> TaskRunPods.isRecorded(scenario.admin(), InstalledCluster.RUN_NAMESPACE, execution.uid()));

        execution.cancel("alice");

        execution.awaitFinal().assertFailedBeforeStart("Cancelled");
        scenario.entry(execution.target(), "BackingOff");
        assertThat(execution.onlyRun()).isNotNull();
    }

    /** A finalizer keeps the deleted execution in the cluster. */
    @Test
    void stopsTerminatingExecution() {
        CreatedExecution execution = scenario.jobWorkflow("hang").create();
        execution.addFinalizer();
        scenario.awaitPod(execution, "Running");

        execution.delete();

        StatusView finalStatus = execution.awaitFinal().assertFailedDuringRun("Cancelled");
        assertThat(finalStatus.text("failureDetails.message")).isEqualTo("cancelled by its deletion");
        execution.removeFinalizer();
    }

    @Test
    void neverRunsExecutionDeletedBeforeFirstReconcile() {
        List<CreatedExecution> created = new ArrayList<>();
        scenario.runWithoutOperator(() -> {
            CreatedExecution deleted = scenario.jobWorkflow("succeed").create();
            deleted.addFinalizer();
            deleted.delete();
            created.add(deleted);
        });

        assertThat(created).singleElement().satisfies(deleted -> {
            StatusView finalStatus = deleted.awaitFinal().assertFailedBeforeStart("Cancelled");
            assertThat(finalStatus.contains("pipelineRunRef")).isFalse();
            assertThat(deleted.runs()).isEmpty();
            deleted.removeFinalizer();
        });
    }

    @Test
    void neverRunsExecutionCancelledBeforeFirstReconcile() {
        List<CreatedExecution> created = new ArrayList<>();
        scenario.runWithoutOperator(() -> {
            CreatedExecution cancelled = scenario.tektonWorkflow("succeed").create();
            cancelled.cancel("alice");
            created.add(cancelled);
        });

        assertThat(created).hasSize(1).allSatisfy(this::assertNeverRan);
    }

    @Test
    void neverRunsExecutionCreatedAsCancelled() {
        assertNeverRan(scenario.tektonWorkflow("succeed").cancelledBy("alice").create());
    }

    /** A cancelled execution that never ran neither counts as a failure nor delays the next one. */
    private void assertNeverRan(CreatedExecution execution) {
        StatusView finalStatus = execution.awaitFinal().assertFailedBeforeStart("Cancelled");
        assertThat(finalStatus.text("failureDetails.message")).isEqualTo("cancelled by alice");
        assertThat(finalStatus.contains("consecutiveFailures")).isFalse();
        assertThat(finalStatus.contains("pipelineRunRef")).isFalse();
        assertThat(execution.runs()).isEmpty();
        assertThat(scenario.entry(execution.target())).isEmpty();
        scenario.tektonWorkflow("succeed").create().awaitFinal().assertCompleted();
    }

    @Test
    void ignoresCancellationOfFinishedExecution() {
        CreatedExecution execution = scenario.tektonWorkflow("succeed").create();
        StatusView finalStatus = execution.awaitFinal().assertCompleted();

        execution.cancel("alice");

        // A later execution on the same target shows that the cancellation was processed.
        scenario.namedTektonWorkflow("other", "succeed").create().awaitFinal().assertCompleted();
        assertThat(execution.status()).isEqualTo(finalStatus);
    }
}
