package dev.escapement.kubernetes.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.kubernetes.resource.NamespacedKubectl;
import dev.escapement.testkit.ConditionPoller;
import dev.escapement.testkit.cluster.ClusterExtension;
import dev.escapement.testkit.cluster.UntypedExecution;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Scenarios with {@code kubectl} only. */
@ExtendWith({ClusterExtension.class, ScenarioExtension.class})
class KubectlScenariosIT {

    private final OperatorScenario scenario;

    @TempDir
    Path folder = Path.of("");

    KubectlScenariosIT(OperatorScenario scenario) {
        this.scenario = scenario;
    }

    @Test
    void appliesExecutionAndWaitsForSuccess() throws Exception {
        CreatedExecution execution = apply("fix-1", "succeed");

        assertThat(kubectl("wait", "--for=condition=Succeeded", "--timeout=60s", "wfe/fix-1"))
                .contains("condition met");

        execution.status().assertCompleted();
        assertThat(kubectl("get", "wfe", "fix-1").replaceAll(" +", " "))
                .contains("NAME PHASE WORKFLOW TARGET REASON DURATION AGE")
                .contains("fix-1 Completed repair " + execution.target());
        awaitKubectlOutput("WorkflowCompleted", "describe", "wfe", "fix-1");
        awaitKubectlOutput("LockReleased", "describe", "wfe", "fix-1");
        assertThat(kubectl("describe", "wfe", "fix-1")).contains("PipelineRunCreated");
        assertThat(kubectl("get", "rt").replaceAll(" +", " ")).contains(execution.target());
    }

    @Test
    void waitsForFailureAndShowsReason() throws Exception {
        CreatedExecution execution = apply("fix-2", "exit:3");

        assertThat(kubectl("wait", "--for=condition=Succeeded=False", "--timeout=60s", "wfe/fix-2"))
                .contains("condition met");
        assertThat(kubectl("wait", "--for=condition=Finished", "--timeout=60s", "wfe/fix-2"))
                .contains("condition met");

        execution.status().assertFailedDuringRun("TaskFailed");
        assertThat(kubectl("get", "wfe", "fix-2").replaceAll(" +", " ")).contains("fix-2 Failed repair", "TaskFailed");
        assertThat(awaitKubectlOutput("TaskFailed", "get", "events", "--field-selector=reason=WorkflowFailed"))
                .contains("Warning");
        scenario.entry(execution.target(), "Blocked");
        assertThat(kubectl("get", "rt").replaceAll(" +", " ")).contains(execution.target(), "Blocked");
    }

    @Test
    void cancelsByAnnotation() throws Exception {
        CreatedExecution execution = apply("fix-3", "hang");
        scenario.awaitPod(execution, "Running");

        assertThat(kubectl("annotate", "wfe", "fix-3", "kubernaut.ai/cancelled-by=bob"))
                .contains("annotated");

        assertThat(execution.awaitFinal().assertFailedDuringRun("Cancelled").text("failureDetails.message"))
                .contains("bob");
    }

    private CreatedExecution apply(String name, String image) throws IOException, InterruptedException {
        String yaml = """
                apiVersion: kubernaut.ai/v1alpha1
                kind: WorkflowExecution
                metadata:
                  name: %s
                spec:
                  workflowRef:
                    workflowId: repair
                    containerImage: %s
                  targetResource: %s
                """.formatted(name, scenario.bundles().push(image), scenario.target());
        assertThat(newKubectl().apply(yaml)).contains(name + " created");
        return scenario.register(scenario.admin()
                .resources(UntypedExecution.class)
                .inNamespace(scenario.namespace())
                .withName(name)
                .require());
    }

    /** Events are published in the background. */
    private String awaitKubectlOutput(String word, String... arguments) {
        return ConditionPoller.awaitPresent("the output of kubectl contains " + word, () -> {
            try {
                return Optional.of(kubectl(arguments)).filter(output -> output.contains(word));
            } catch (IOException | InterruptedException failure) {
                throw new AssertionError(failure);
            }
        });
    }

    private String kubectl(String... arguments) throws IOException, InterruptedException {
        return newKubectl().run(arguments);
    }

    private NamespacedKubectl newKubectl() {
        return new NamespacedKubectl(scenario.cluster().cluster().kubeconfig(), scenario.namespace(), folder);
    }
}
