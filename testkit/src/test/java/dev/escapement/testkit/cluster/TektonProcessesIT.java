package dev.escapement.testkit.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Real PipelineRuns with bundles that the real resolver fetches. */
@ExtendWith(ClusterExtension.class)
class TektonProcessesIT {

    private static final String API_VERSION = "tekton.dev/v1";

    private final TestCluster cluster;
    private final String namespace;

    TektonProcessesIT(TestCluster cluster) {
        this.cluster = cluster.installTekton();
        this.namespace = cluster.createNamespace("tekton");
    }

    @Test
    void runsBundleWithTwoTasks() {
        Resource<GenericKubernetesResource> run = startRun(addBundle("succeed", "succeed:1s"));

        GenericKubernetesResource ended = cluster.await(run, TektonProcessesIT::isFinished);

        assertThat(reason(ended)).as(message(ended)).isEqualTo("Succeeded");
        assertThat(taskRunReasons()).containsExactly(Map.entry("first", "Succeeded"), Map.entry("second", "Succeeded"));
    }

    @ParameterizedTest
    @CsvSource({
        "exit:3, Failed, StepFailed",
        "oom, Failed, StepOOM",
        "pull-failure, Failed, TaskRunImagePullFailed",
    })
    void failedTaskFailsRun(String image, String runReason, String taskReason) {
        Resource<GenericKubernetesResource> run = startRun(addBundle(image, "succeed"));

        GenericKubernetesResource ended = cluster.await(run, TektonProcessesIT::isFinished);

        assertThat(reason(ended)).as(message(ended)).isEqualTo(runReason);
        assertThat(taskRunReasons()).containsExactly(Map.entry("first", taskReason));
    }

    @ParameterizedTest
    @CsvSource({"hang", "never-scheduled"})
    void taskTimesOut(String image) {
        Resource<GenericKubernetesResource> run = startRun(addBundle(image, "succeed", "3s"));

        GenericKubernetesResource ended = cluster.await(run, TektonProcessesIT::isFinished);

        assertThat(reason(ended)).as(message(ended)).isEqualTo("Failed");
        assertThat(taskRunReasons()).containsExactly(Map.entry("first", "TaskRunTimeout"));
    }

    @Test
    void skipsStepsAfterFailedStep() {
        String pipeline = """
                apiVersion: tekton.dev/v1
                kind: Pipeline
                metadata: {name: workflow}
                spec:
                  tasks:
                  - name: first
                    taskSpec:
                      steps:
                      - {name: good, image: simulated.local/succeed, script: "true"}
                      - {name: bad, image: "simulated.local/exit:4", script: "true"}
                      - {name: never, image: simulated.local/succeed, script: "true"}
                """;
        Resource<GenericKubernetesResource> run =
                startRun(cluster.registry().add("workflows/steps", namespace, bundleOf(pipeline)));

        GenericKubernetesResource ended = cluster.await(run, TektonProcessesIT::isFinished);

        assertThat(ended).as("%s", ended).extracting(TektonProcessesIT::reason).isEqualTo("Failed");
        List<Map<String, Object>> steps = taskRun().get("status", "steps");
        assertThat(steps)
                .extracting(step -> step.get("name") + "=" + step.get("terminationReason"))
                .containsExactly("good=Completed", "bad=Error", "never=Skipped");
    }

    @Test
    void missingBundleFailsRun() {
        GenericKubernetesResource ended = cluster.await(
                startRun(cluster.registry().address() + "/workflows/none:v1"), TektonProcessesIT::isFinished);

        assertThat(reason(ended)).as(message(ended)).isEqualTo("CouldntGetPipeline");
        assertThat(message(ended)).contains("MANIFEST_UNKNOWN");
    }

    @Test
    void webhookRejectsInvalidPipelineRun() {
        Assertions.assertThatThrownBy(() -> cluster.create("""
                        apiVersion: tekton.dev/v1
                        kind: PipelineRun
                        metadata: {name: none, namespace: %s}
                        spec: {}
                        """.formatted(namespace)))
                .isInstanceOf(KubernetesClientException.class)
                .hasMessageContaining("validation.webhook.pipeline.tekton.dev");
    }

    private String addBundle(String first, String second) {
        return addBundle(first, second, "30m");
    }

    private String addBundle(String first, String second, String timeout) {
        String pipeline = """
                apiVersion: tekton.dev/v1
                kind: Pipeline
                metadata: {name: workflow}
                spec:
                  tasks:
                  - name: first
                    timeout: %s
                    taskSpec: {steps: [{name: only, image: "simulated.local/%s", command: [run]}]}
                  - name: second
                    runAfter: [first]
                    taskSpec: {steps: [{name: only, image: "simulated.local/%s", command: [run]}]}
                """.formatted(timeout, first, second);
        return cluster.registry().add("workflows/two", namespace, bundleOf(pipeline));
    }

    private static TektonBundle bundleOf(String pipeline) {
        return TektonBundle.of("workflow", "pipeline", API_VERSION, pipeline);
    }

    private Resource<GenericKubernetesResource> startRun(String bundle) {
        cluster.create("""
                apiVersion: tekton.dev/v1
                kind: PipelineRun
                metadata: {name: run, namespace: %s}
                spec:
                  pipelineRef:
                    resolver: bundles
                    params:
                    - {name: bundle, value: "%s"}
                    - {name: name, value: workflow}
                    - {name: kind, value: pipeline}
                """.formatted(namespace, bundle));
        return cluster.resource(API_VERSION, "PipelineRun", namespace, "run");
    }

    private Map<String, String> taskRunReasons() {
        return cluster
                .admin()
                .genericKubernetesResources(API_VERSION, "TaskRun")
                .inNamespace(namespace)
                .list()
                .getItems()
                .stream()
                .collect(Collectors.toMap(
                        each -> each.getMetadata().getLabels().get("tekton.dev/pipelineTask"),
                        TektonProcessesIT::reason));
    }

    private GenericKubernetesResource taskRun() {
        return cluster.admin()
                .genericKubernetesResources(API_VERSION, "TaskRun")
                .inNamespace(namespace)
                .list()
                .getItems()
                .get(0);
    }

    private static boolean isFinished(GenericKubernetesResource run) {
        return succeededCondition(run)
                .filter(each -> !"Unknown".equals(each.get("status")))
                .isPresent();
    }

    private static String reason(GenericKubernetesResource run) {
        return succeededCondition(run)
                .map(each -> String.valueOf(each.get("reason")))
                .orElse("none");
    }

    private static String message(GenericKubernetesResource run) {
        return succeededCondition(run)
                .map(each -> String.valueOf(each.get("message")))
                .orElse("none");
    }

    private static Optional<Map<String, Object>> succeededCondition(GenericKubernetesResource run) {
        List<Map<String, Object>> conditions = run.get("status", "conditions");
        return conditions == null
                ? Optional.empty()
                : conditions.stream()
                        .filter(each -> "Succeeded".equals(each.get("type")))
                        .findFirst();
    }
}
