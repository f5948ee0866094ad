package dev.escapement.kubernetes.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.testkit.ConditionPoller;
import dev.escapement.testkit.cluster.ClusterExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The operator is restarted with another execution namespace and cannot see the active runs in the old one. */
@ExtendWith({ClusterExtension.class, ScenarioExtension.class})
class OtherRunNamespaceIT {

    private final OperatorScenario scenario;

    OtherRunNamespaceIT(OperatorScenario scenario) {
        this.scenario = scenario;
    }

    @Test
    void doesNotTreatRunInOtherNamespaceAsDeleted() {
        CreatedExecution execution = scenario.jobWorkflow("wait").create();
        scenario.awaitPod(execution, "Running");

        runWithOtherRunNamespace(() -> {
            assertThat(execution.status().text("phase")).isEqualTo("Running");
            assertThat(scenario.entry(execution.target(), "Held").text("holder.uid"))
                    .isEqualTo(execution.uid());
            CreatedExecution other = scenario.jobWorkflow("succeed").create();
            other.awaitFinal().assertSkipped("ResourceBusy");
        });

        scenario.endPod(execution, "succeed");
        execution.awaitFinal().assertCompleted();
        scenario.entry(execution.target(), "CoolingDown");
    }

    @Test
    void keepsTargetHeldWhenExecutionOfInvisibleRunIsDeleted() {
        CreatedExecution execution = scenario.jobWorkflow("hang").create();
        scenario.awaitPod(execution, "Running");

        runWithOtherRunNamespace(() -> {
            execution.delete();
            awaitReconciled();
            assertThat(scenario.entry(execution.target(), "Held").text("holder.uid"))
                    .isEqualTo(execution.uid());
            assertThat(execution.runs()).hasSize(1);
        });

        scenario.entry(execution.target(), "Blocked");
        ConditionPoller.await(
                "the run is stopped and removed", () -> execution.runs().isEmpty());
    }

    private void runWithOtherRunNamespace(Runnable scenarioSteps) {
        String otherNamespace = InstalledCluster.newRunNamespace(scenario.cluster());
        scenario.runWithoutOperator(() -> {
            InProcessOperator operator = new InProcessOperator(scenario.cluster(), otherNamespace);
            try {
                awaitReconciled();
                scenarioSteps.run();
            } finally {
                operator.close();
            }
        });
    }

    /** Waits until a new execution has finished, which shows that all earlier ones were reconciled. */
    private void awaitReconciled() {
        CreatedExecution marker =
                scenario.jobWorkflow("succeed").onTarget(scenario.newTarget()).create();
        marker.awaitFinal().assertCompleted();
        marker.markRunDeleted();
    }
}
