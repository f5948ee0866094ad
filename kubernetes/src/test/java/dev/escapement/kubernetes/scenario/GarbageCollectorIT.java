package dev.escapement.kubernetes.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.testkit.ConditionPoller;
import dev.escapement.testkit.cluster.ClusterExtension;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The garbage collector deletes objects with an owner in another namespace; runs have none and stay. */
@ExtendWith({ClusterExtension.class, ScenarioExtension.class})
class GarbageCollectorIT {

    private final OperatorScenario scenario;

    GarbageCollectorIT(OperatorScenario scenario) {
        this.scenario = scenario;
    }

    /** The bait is a run that names its execution as its owner. */
    @Test
    void deletesRunWithCrossNamespaceOwnerButNotOurs() {
        CreatedExecution running = scenario.tektonWorkflow("wait").create();
        CreatedExecution completed = scenario.tektonWorkflow("succeed")
                .onTarget(scenario.newTarget())
                .create();
        CreatedExecution failed =
                scenario.tektonWorkflow("exit:1").onTarget(scenario.newTarget()).create();
        CreatedExecution job =
                scenario.jobWorkflow("succeed").onTarget(scenario.newTarget()).create();
        completed.awaitFinal().assertCompleted();
        failed.awaitFinal().assertFailedDuringRun("TaskFailed");
        job.awaitFinal().assertCompleted();
        running.awaitRunning();

        GenericKubernetesResource bait = createRunWithForeignOwner(running);

        ConditionPoller.await(
                "the bait is deleted", () -> scenario.admin().resource(bait).get() == null);
        for (CreatedExecution each : new CreatedExecution[] {running, completed, failed, job}) {
            assertThat(each.onlyRun().getMetadata().getUid())
                    .isEqualTo(each.status().text("pipelineRunRef.uid"));
            assertThat(each.onlyRun().getMetadata().getOwnerReferences()).isEmpty();
        }
        assertThat(running.status().text("phase")).isEqualTo("Running");
        scenario.endPod(running, "succeed");
        running.awaitFinal().assertCompleted();
    }

    private GenericKubernetesResource createRunWithForeignOwner(CreatedExecution owner) {
        GenericKubernetesResource bait = scenario.cluster()
                .create("""
                apiVersion: tekton.dev/v1
                kind: PipelineRun
                metadata:
                  name: %s-bait
                  namespace: %s
                  ownerReferences:
                  - {apiVersion: kubernaut.ai/v1alpha1, kind: WorkflowExecution, name: %s, uid: %s}
                spec:
                  status: PipelineRunPending
                  pipelineSpec:
                    tasks:
                    - name: first
                      taskSpec: {steps: [{name: work, image: simulated.local/succeed, script: "true"}]}
                """.formatted(scenario.namespace(), InstalledCluster.RUN_NAMESPACE, owner.name(), owner.uid()));
        assertThat(bait.getMetadata().getOwnerReferences())
                .containsExactly(new OwnerReferenceBuilder()
                        .withApiVersion("kubernaut.ai/v1alpha1")
                        .withKind("WorkflowExecution")
                        .withName(owner.name())
                        .withUid(owner.uid())
                        .build());
        return bait;
    }
}
