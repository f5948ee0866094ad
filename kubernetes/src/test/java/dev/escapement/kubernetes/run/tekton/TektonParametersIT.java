package dev.escapement.kubernetes.run.tekton;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.execution.Execution;
import dev.escapement.governor.failure.Failure;
import dev.escapement.governor.failure.FailureReason;
import dev.escapement.kubernetes.run.RunTestBed;
import dev.escapement.testkit.cluster.ClusterExtension;
import dev.escapement.testkit.cluster.TestCluster;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Parameter values reach the pod of a real Tekton unchanged. */
@ExtendWith(ClusterExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TektonParametersIT {

    private final TestCluster cluster;
    private final RunTestBed testBed;
    private int number;

    TektonParametersIT(TestCluster cluster) {
        this.cluster = cluster;
        this.testBed = RunTestBed.forTekton(cluster);
    }

    @AfterAll
    void close() {
        testBed.close();
    }

    static Map<String, String> values() {
        Map<String, String> values = new TreeMap<>();
        values.put("plain", "plain");
        values.put("quotes", "\"'`\\");
        values.put("lines", "a\nb\r\n\tc");
        values.put("empty", "");
        values.put("dollars", "$ $$ $() ${HOME} $((1+1)) $(date)");
        values.put("variable of the pod", "$(TARGET)");
        values.put("big", "0123456789".repeat(10_000));
        return values;
    }

    static List<Map.Entry<String, String>> cases() {
        return List.copyOf(values().entrySet());
    }

    @ParameterizedTest
    @MethodSource("cases")
    void passesValueToPodUnchanged(Map.Entry<String, String> given) {
        Execution execution = testBed.newExecution(++number, pipelineBundle(), Map.of("VALUE", given.getValue()));
        testBed.startRun(execution);
        Map<String, String> found = testBed.awaitRunningPod(execution).getSpec().getContainers().stream()
                .map(Container::getEnv)
                .flatMap(List::stream)
                .collect(Collectors.toMap(
                        EnvVar::getName,
                        variable -> Optional.ofNullable(variable.getValue()).orElse(""),
                        (one, other) -> one));
        assertThat(found.get("VALUE")).isEqualTo(given.getValue());
        assertThat(found.get("TARGET")).isEqualTo(execution.spec().targetResource());
    }

    /** Tekton would change the first two values, and the others would fail the run later. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "$(params.TARGET_RESOURCE)",
                "$(context.pipelineRun.name)",
                "a $(params['TARGET_RESOURCE']) b",
                "$(tasks.first.results.x)",
                "$(workspaces.w.path)",
            })
    void refusesValueWithTektonVariable(String value) {
        Failure failure =
                testBed.prepareRefused(testBed.newExecution(++number, pipelineBundle(), Map.of("VALUE", value)));
        assertThat(failure.reason()).isEqualTo(FailureReason.ValidationError);
        assertThat(failure.message()).contains("VALUE").contains("$(");
        assertThat(failure.wasExecutionFailure()).isFalse();
    }

    private String pipelineBundle() {
        List<Map<String, Object>> params =
                List.of(Map.of("name", "VALUE", "type", "string"), Map.of("name", "TARGET_RESOURCE", "type", "string"));
        Map<String, Object> task = Map.of(
                "name",
                "use",
                "params",
                List.of(
                        Map.of("name", "VALUE", "value", "$(params.VALUE)"),
                        Map.of("name", "TARGET_RESOURCE", "value", "$(params.TARGET_RESOURCE)")),
                "taskSpec",
                Map.of(
                        "params",
                        params,
                        "steps",
                        List.of(Map.of(
                                "name",
                                "use",
                                "image",
                                "simulated.local/wait",
                                "command",
                                List.of("/do"),
                                "env",
                                List.of(
                                        Map.of("name", "TARGET", "value", "$(params.TARGET_RESOURCE)"),
                                        Map.of("name", "VALUE", "value", "$(params.VALUE)"))))));
        return PipelineBundles.pushBundle(cluster, Map.of("params", params, "tasks", List.of(task)));
    }
}
