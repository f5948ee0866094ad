package dev.escapement.kubernetes.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.kubernetes.run.RunLabels;
import dev.escapement.testkit.cluster.ClusterExtension;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Names and parameters at the limits reach the run unchanged. */
@ExtendWith({ClusterExtension.class, ScenarioExtension.class})
class NamesAndParametersIT {

    private static final String LARGE_VALUE = "0123456789abcdef".repeat(512);

    private final OperatorScenario scenario;

    NamesAndParametersIT(OperatorScenario scenario) {
        this.scenario = scenario;
    }

    @Test
    void acceptsLongestNamesForTekton() {
        CreatedExecution execution = scenario.tektonWorkflow("succeed")
                .withName(longName("e."))
                .onTarget(scenario.namespace() + "/deployment/" + longName("t."))
                .create();

        execution.awaitFinal().assertCompleted();

        GenericKubernetesResource run = execution.onlyRun();
        assertThat(RunLabels.annotation(run, RunLabels.EXECUTION_NAME)).contains(execution.name());
        assertThat(RunLabels.annotation(run, RunLabels.TARGET_RESOURCE)).contains(execution.target());
        assertThat(run.getMetadata().getOwnerReferences()).isEmpty();
        CreatedExecution again = scenario.tektonWorkflow("succeed")
                .withName(longName("f."))
                .onTarget(execution.target())
                .create();
        assertThat(again.awaitFinal().assertSkipped("RecentlyRemediated").text("skipDetails.message"))
                .contains(execution.name());
    }

    @Test
    void acceptsLongestNamesForJob() {
        CreatedExecution execution = scenario.jobWorkflow("succeed")
                .withName(longName("e."))
                .onTarget("node/" + longName("n."))
                .create();

        execution.awaitFinal().assertCompleted();
    }

    /** Validation comes before the gate, and holds back only the workflow of the invalid request. */
    @Test
    void malformedImageFailsOnHeldTarget() {
        CreatedExecution holder = scenario.jobWorkflow("hang").create();
        scenario.awaitPod(holder, "Running");

        CreatedExecution invalid = scenario.workflow("broken", "registry.example/UPPER:1")
                .onTarget(holder.target())
                .create();
        StatusView failed =
                invalid.awaitFinal().assertFailedBeforeStart("ValidationError").assertConsecutiveFailures(1);

        assertThat(failed.text("failureDetails.message")).contains("registry.example/UPPER:1");
        assertThat(holder.status().text("phase")).isEqualTo("Running");
        scenario.entry(holder.target(), "Held");
        holder.cancel("alice");
        holder.awaitFinal();
    }

    /** Returns a unique name of 253 characters. */
    private String longName(String first) {
        String last = "z." + scenario.namespace();
        return first + "abcdefghi.".repeat(26).substring(0, 253 - first.length() - last.length()) + last;
    }

    @Test
    void passesParametersToTaskUnchanged() {
        Map<String, String> parameters = parameters();
        CreatedExecution execution = scenario.workflow("repair", bundleDeclaring(parameters))
                .withParameters(parameters)
                .create();

        execution.awaitFinal().assertCompleted();

        Map<String, String> expected = new LinkedHashMap<>(parameters);
        expected.put("TARGET_RESOURCE", execution.target());
        assertThat(paramsOf(execution.onlyRun())).isEqualTo(expected);
        assertThat(paramsOf(taskRun(execution))).isEqualTo(expected);
    }

    /** Only Tekton knows what a pipeline declares, because only Tekton resolves the bundle. */
    @Test
    void missingParameterFailsBeforeAnyStep() {
        CreatedExecution execution = scenario.workflow("repair", bundleDeclaring(Map.of("DEPTH", "", "MODE", "")))
                .withParameters(Map.of("MODE", "fast"))
                .create();

        StatusView failed = execution.awaitFinal().assertFailedBeforeStart("ConfigurationError");

        assertThat(failed.text("failureDetails.message")).contains("DEPTH").doesNotContain("MODE");
        assertThat(scenario.pods(execution)).isEmpty();
    }

    private static Map<String, String> parameters() {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("QUOTES", "it's \"quoted\" and \\ escaped");
        all.put("LINES", "one\ntwo\n\n\tthree\r\n");
        all.put("SHELL", "$(rm -rf /) `id` ${HOME} $$ $");
        all.put("YAML", "{a: [b, c]} # no comment");
        all.put("EMPTY", "");
        all.put("UNICODE", "größer – 日本語 🙂");
        all.put("BIG", LARGE_VALUE);
        return all;
    }

    /** Pushes a pipeline that passes every parameter to its task. */
    private String bundleDeclaring(Map<String, String> parameters) {
        List<String> names = Stream.concat(parameters.keySet().stream(), Stream.of("TARGET_RESOURCE"))
                .toList();
        String declared = names.stream().map("{name: %s}"::formatted).collect(Collectors.joining(", "));
        String passed = names.stream()
                .map(name -> "{name: %s, value: \"$(params.%s)\"}".formatted(name, name))
                .collect(Collectors.joining(", "));
        return scenario.bundles().pushPipeline("""
                spec:
                  params: [%s]
                  tasks:
                  - name: first
                    params: [%s]
                    taskSpec:
                      params: [%s]
                      steps: [{name: work, image: simulated.local/succeed, script: "true"}]
                """.formatted(declared, passed, declared));
    }

    private GenericKubernetesResource taskRun(CreatedExecution execution) {
        return scenario.admin()
                .genericKubernetesResources("tekton.dev/v1", "TaskRun")
                .inNamespace(InstalledCluster.RUN_NAMESPACE)
                .withLabel(RunLabels.EXECUTION_UID, execution.uid())
                .list()
                .getItems()
                .get(0);
    }

    private static Map<String, String> paramsOf(GenericKubernetesResource run) {
        List<Map<String, String>> params = run.get("spec", "params");
        return params.stream().collect(Collectors.toMap(param -> param.get("name"), param -> param.get("value")));
    }

    /** The kubelet replaces {@code $$} by {@code $}. */
    @Test
    void passesParametersToJobUnchanged() {
        Map<String, String> parameters = parameters();
        CreatedExecution execution =
                scenario.jobWorkflow("succeed").withParameters(parameters).create();

        execution.awaitFinal().assertCompleted();

        Job job = scenario.admin()
                .batch()
                .v1()
                .jobs()
                .inNamespace(InstalledCluster.RUN_NAMESPACE)
                .withName(execution.onlyRun().getMetadata().getName())
                .require();
        Map<String, String> actual = new LinkedHashMap<>();
        job.getSpec()
                .getTemplate()
                .getSpec()
                .getContainers()
                .get(0)
                .getEnv()
                .forEach(variable -> actual.put(
                        variable.getName(),
                        variable.getValue() == null ? "" : variable.getValue().replace("$$", "$")));
        Map<String, String> expected = new LinkedHashMap<>(parameters);
        expected.put("TARGET_RESOURCE", execution.target());
        assertThat(actual).isEqualTo(expected);
        assertThat(scenario.awaitPod(execution, "Succeeded")
                        .getSpec()
                        .getContainers()
                        .get(0)
                        .getEnv())
                .hasSize(expected.size());
    }
}
