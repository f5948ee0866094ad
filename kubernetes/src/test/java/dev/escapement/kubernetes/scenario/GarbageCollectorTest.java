package dev.escapement.kubernetes.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.cluster.testing.ClusterExtension;
import dev.escapement.kubernetes.run.Eventually;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The garbage collector runs, would delete what refers across namespaces, and leaves what is ours. */
@ExtendWith({ClusterExtension.class, ScenarioExtension.class})
class GarbageCollectorTest {

    private final Scenario scenario;

    GarbageCollectorTest(Scenario scenario) {
        this.scenario = scenario;
    }

    /** The bait is what a run would be that named its execution as its owner. */
    @Test
    void itDeletesARunWithAnOwnerInAnotherNamespaceAndNoneOfOurs() {
        Asked running = scenario.tekton("wait").go();
        Asked completed = scenario.tekton("succeed").on(scenario.otherTarget()).go();
        Asked failed = scenario.tekton("exit:1").on(scenario.otherTarget()).go();
        Asked job = scenario.job("succeed").on(scenario.otherTarget()).go();
        completed.ended().completed();
        failed.ended().failedDuring("TaskFailed");
        job.ended().completed();
        running.running();

        GenericKubernetesResource bait = bait(running);

        Eventually.holds(
                "the bait is gone", () -> scenario.admin().resource(bait).get() == null);
        for (Asked each : new Asked[] {running, completed, failed, job}) {
            assertThat(each.run().getMetadata().getUid())
                    .isEqualTo(each.status().at("pipelineRunRef.uid"));
            assertThat(each.run().getMetadata().getOwnerReferences()).isEmpty();
        }
        assertThat(running.status().at("phase")).isEqualTo("Running");
        scenario.end(running, "succeed");
        running.ended().completed();
    }

    private GenericKubernetesResource bait(Asked owner) {
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
                """.formatted(scenario.namespace(), Installed.RUNS, owner.name(), owner.uid()));
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
