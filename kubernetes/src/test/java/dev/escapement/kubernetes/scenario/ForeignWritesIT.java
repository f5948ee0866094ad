package dev.escapement.kubernetes.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.common.Digests;
import dev.escapement.governor.Target;
import dev.escapement.kubernetes.run.RunLabels;
import dev.escapement.testkit.cluster.ClusterExtension;
import dev.escapement.testkit.cluster.UntypedExecution;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Other clients create runs with our labels and remove statuses. */
@ExtendWith({ClusterExtension.class, ScenarioExtension.class})
class ForeignWritesIT {

    private final OperatorScenario scenario;

    ForeignWritesIT(OperatorScenario scenario) {
        this.scenario = scenario;
    }

    /** Creates a Job that names an execution, as every user of the namespace of the runs can. */
    private Job createForgedJob(CreatedExecution labelled, String executionName, boolean suspended) {
        String target = Target.parse(labelled.target()).objectName();
        String name = target + "-" + Digests.sha256Hex(labelled.uid(), 5) + (executionName.isEmpty() ? "" : "-forged");
        Job job = new JobBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace(InstalledCluster.RUN_NAMESPACE)
                .withLabels(Map.of(RunLabels.EXECUTION_UID, labelled.uid(), RunLabels.TARGET, target))
                .withAnnotations(Map.of(
                        RunLabels.EXECUTION_NAMESPACE,
                        labelled.namespace(),
                        RunLabels.EXECUTION_NAME,
                        executionName.isEmpty() ? labelled.name() : executionName,
                        RunLabels.TARGET_RESOURCE,
                        labelled.target()))
                .endMetadata()
                .withNewSpec()
                .withSuspend(suspended)
                .withNewTemplate()
                .withNewSpec()
                .withRestartPolicy("Never")
                .addNewContainer()
                .withName("workflow")
                .withImage("simulated.local/succeed")
                .endContainer()
                .endSpec()
                .endTemplate()
                .endSpec()
                .build();
        return scenario.admin().resource(job).create();
    }

    @Test
    void runWithForgedLabelsDoesNotLiftBlock() {
        CreatedExecution failed = scenario.jobWorkflow("exit:1").create();
        failed.awaitFinal().assertFailedDuringRun("TaskFailed");
        scenario.entry(failed.target(), "Blocked");

        Job forged = createForgedJob(failed, "no-such-execution", true);
        // The watch of Jobs delivers the forged one before the one of a later execution.
        scenario.jobWorkflow("succeed")
                .onTarget(scenario.newTarget())
                .create()
                .awaitFinal()
                .assertCompleted();

        scenario.jobWorkflow("succeed").create().awaitFinal().assertSkipped("PreviousExecutionFailed");
        assertThat(failed.runs()).describedAs("the evidence and the forged run").hasSize(2);
        scenario.admin().resource(forged).delete();
    }

    @Test
    void startedRunOfAnotherClientIsNotAdopted() {
        assertNotAdopted(false);
    }

    @Test
    void suspendedRunWithAnotherSpecIsNotAdopted() {
        assertNotAdopted(true);
    }

    private void assertNotAdopted(boolean suspended) {
        CreatedExecution[] created = new CreatedExecution[1];
        scenario.runWithoutOperator(() -> {
            created[0] = scenario.jobWorkflow("exit:1").create();
            createForgedJob(created[0], "", suspended);
        });
        CreatedExecution execution = created[0];

        StatusView status = execution.awaitFinal();

        assertThat(status.text("phase")).isEqualTo("Failed");
        assertThat(status.text("failureDetails.wasExecutionFailure")).isEqualTo("false");
        assertThat(status.text("failureDetails.message")).contains("is not the suspended run that was requested");
        scenario.admin()
                .batch()
                .v1()
                .jobs()
                .inNamespace(InstalledCluster.RUN_NAMESPACE)
                .withLabel(RunLabels.EXECUTION_UID, execution.uid())
                .delete();
    }

    private void removeStatus(CreatedExecution execution) {
        scenario.admin()
                .resources(UntypedExecution.class)
                .inNamespace(execution.namespace())
                .withName(execution.name())
                .subresource("status")
                .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"status\":null}");
    }

    @Test
    void finishedExecutionGetsRemovedStatusBack() {
        CreatedExecution execution = scenario.jobWorkflow("succeed").create();
        StatusView before = execution.awaitFinal().assertCompleted();

        removeStatus(execution);

        StatusView after = execution.awaitFinal().assertCompleted();
        assertThat(after.text("completionTime")).isEqualTo(before.text("completionTime"));
        execution.onlyRun();
    }

    @Test
    void runningExecutionGetsRemovedStatusBack() {
        CreatedExecution execution = scenario.jobWorkflow("wait").create();
        scenario.awaitPod(execution, "Running");

        removeStatus(execution);

        execution.await("Running", status -> status.text("phase").equals("Running"));
        scenario.endPod(execution, "succeed");
        execution.awaitFinal().assertCompleted();
    }

    /** Without an operator only the ledger remembers that the execution has ended. */
    @Test
    void executionWithoutStatusDoesNotRunAgain() {
        CreatedExecution execution = scenario.jobWorkflow("succeed").create();
        execution.awaitFinal().assertCompleted();
        scenario.entry(execution.target(), "CoolingDown");
        String run = execution.onlyRun().getMetadata().getUid();

        scenario.runWithoutOperator(() -> removeStatus(execution));

        StatusView status = execution.awaitFinal();
        assertThat(status.text("failureDetails.message")).contains("its status was removed afterwards");
        assertThat(execution.onlyRun().getMetadata().getUid()).isEqualTo(run);
        execution.markDeleted();
    }
}
