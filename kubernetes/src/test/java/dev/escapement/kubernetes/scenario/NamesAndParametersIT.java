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

/** Whatever is legal arrives as it was written. */
@ExtendWith({ClusterExtension.class, ScenarioExtension.class})
class NamesAndParametersIT {

    private static final String LARGE_VALUE = "0123456789abcdef".repeat(100 * 1024 / 16);

    private final OperatorScenario scenario;

    NamesAndParametersIT(OperatorScenario scenario) {
        this.scenario = scenario;
    }

    @Test
    void acceptsLongestNamesForTekton() {
        CreatedExecution asked = scenario.tektonWorkflow("succeed")
                .withName(longName("e."))
                .onTarget(scenario.namespace() + "/deployment/" + longName("t."))
                .create();

        asked.awaitFinal().assertCompleted();

        GenericKubernetesResource run = asked.onlyRun();
        assertThat(RunLabels.annotation(run, RunLabels.EXECUTION_NAME)).contains(asked.name());
        assertThat(RunLabels.annotation(run, RunLabels.TARGET_RESOURCE)).contains(asked.target());
        assertThat(run.getMetadata().getOwnerReferences()).isEmpty();
        CreatedExecution again = scenario.tektonWorkflow("succeed")
                .withName(longName("f."))
                .onTarget(asked.target())
                .create();
        assertThat(again.awaitFinal().assertSkipped("RecentlyRemediated").text("skipDetails.message"))
                .contains(asked.name());
    }

    @Test
    void acceptsLongestNamesForJob() {
        CreatedExecution asked = scenario.jobWorkflow("succeed")
                .withName(longName("e."))
                .onTarget("node/" + longName("n."))
                .create();

        asked.awaitFinal().assertCompleted();
    }

    /** Of 253 characters, and unlike that of any other story. */
    private String longName(String first) {
        String last = "z." + scenario.namespace();
        return first + "abcdefghi.".repeat(26).substring(0, 253 - first.length() - last.length()) + last;
    }

    @Test
    void passesParametersToTaskUnchanged() {
        Map<String, String> parameters = parameters();
        CreatedExecution asked = scenario.workflow("repair", bundleDeclaring(parameters))
                .withParameters(parameters)
                .create();

        asked.awaitFinal().assertCompleted();

        Map<String, String> wanted = new LinkedHashMap<>(parameters);
        wanted.put("TARGET_RESOURCE", asked.target());
        assertThat(paramsOf(asked.onlyRun())).isEqualTo(wanted);
        assertThat(paramsOf(taskRun(asked))).isEqualTo(wanted);
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

    /** A pipeline that hands every parameter on to its task. */
    private String bundleDeclaring(Map<String, String> parameters) {
        List<String> names = Stream.concat(parameters.keySet().stream(), Stream.of("TARGET_RESOURCE"))
                .toList();
        String declared = names.stream().map("{name: %s}"::formatted).collect(Collectors.joining(", "));
        String handed = names.stream()
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
                """.formatted(declared, handed, declared));
    }

    private GenericKubernetesResource taskRun(CreatedExecution asked) {
        return scenario.admin()
                .genericKubernetesResources("tekton.dev/v1", "TaskRun")
                .inNamespace(InstalledCluster.RUN_NAMESPACE)
                .withLabel(RunLabels.EXECUTION_UID, asked.uid())
                .list()
                .getItems()
                .get(0);
    }

    private static Map<String, String> paramsOf(GenericKubernetesResource run) {
        List<Map<String, String>> params = run.get("spec", "params");
        return params.stream().collect(Collectors.toMap(param -> param.get("name"), param -> param.get("value")));
    }

    /** The kubelet makes one dollar sign of two, and puts nothing else into their place. */
    @Test
    void passesParametersToJobUnchanged() {
        Map<String, String> parameters = parameters();
        CreatedExecution asked =
                scenario.jobWorkflow("succeed").withParameters(parameters).create();

        asked.awaitFinal().assertCompleted();

        Job job = scenario.admin()
                .batch()
                .v1()
                .jobs()
                .inNamespace(InstalledCluster.RUN_NAMESPACE)
                .withName(asked.onlyRun().getMetadata().getName())
                .require();
        Map<String, String> arrived = new LinkedHashMap<>();
        job.getSpec()
                .getTemplate()
                .getSpec()
                .getContainers()
                .get(0)
                .getEnv()
                .forEach(variable -> arrived.put(
                        variable.getName(),
                        variable.getValue() == null ? "" : variable.getValue().replace("$$", "$")));
        Map<String, String> wanted = new LinkedHashMap<>(parameters);
        wanted.put("TARGET_RESOURCE", asked.target());
        assertThat(arrived).isEqualTo(wanted);
        assertThat(scenario.awaitPod(asked, "Succeeded")
                        .getSpec()
                        .getContainers()
                        .get(0)
                        .getEnv())
                .hasSize(wanted.size());
    }
}
