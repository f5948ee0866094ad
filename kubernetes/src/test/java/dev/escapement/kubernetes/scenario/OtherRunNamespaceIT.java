package dev.escapement.kubernetes.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.kubernetes.run.ClusterAwait;
import dev.escapement.testkit.cluster.ClusterExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The operator is started again with another execution namespace, and cannot see the runs that go on in the old one.
 */
@ExtendWith({ClusterExtension.class, ScenarioExtension.class})
class OtherRunNamespaceIT {

    private final OperatorScenario scenario;

    OtherRunNamespaceIT(OperatorScenario scenario) {
        this.scenario = scenario;
    }

    @Test
    void doesNotTreatRunInOtherNamespaceAsDeleted() {
        CreatedExecution asked = scenario.jobWorkflow("wait").create();
        scenario.awaitPod(asked, "Running");

        runWithOtherRunNamespace(() -> {
            assertThat(asked.status().text("phase")).isEqualTo("Running");
            assertThat(scenario.entry(asked.target(), "Held").text("holder.uid"))
                    .isEqualTo(asked.uid());
            CreatedExecution other = scenario.jobWorkflow("succeed").create();
            other.awaitFinal().assertSkipped("ResourceBusy");
        });

        scenario.endPod(asked, "succeed");
        asked.awaitFinal().assertCompleted();
        scenario.entry(asked.target(), "Free");
    }

    @Test
    void keepsTargetHeldWhenExecutionOfInvisibleRunIsDeleted() {
        CreatedExecution asked = scenario.jobWorkflow("hang").create();
        scenario.awaitPod(asked, "Running");

        runWithOtherRunNamespace(() -> {
            asked.delete();
            awaitReconciled();
            assertThat(scenario.entry(asked.target(), "Held").text("holder.uid"))
                    .isEqualTo(asked.uid());
            assertThat(asked.runs()).hasSize(1);
        });

        scenario.entry(asked.target(), "Blocked");
        ClusterAwait.untilTrue("it is stopped", () -> asked.runs().isEmpty());
    }

    private void runWithOtherRunNamespace(Runnable story) {
        String elsewhere = InstalledCluster.newRunNamespace(scenario.cluster());
        scenario.runWithoutOperator(() -> {
            InProcessOperator operator = new InProcessOperator(scenario.cluster(), elsewhere);
            try {
                awaitReconciled();
                story.run();
            } finally {
                operator.close();
            }
        });
    }

    /** What comes later and is over shows that everything before it was looked at. */
    private void awaitReconciled() {
        CreatedExecution later =
                scenario.jobWorkflow("succeed").onTarget(scenario.newTarget()).create();
        later.awaitFinal().assertCompleted();
        later.markRunDeleted();
    }
}
