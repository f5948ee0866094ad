package dev.escapement.kubernetes.run.tekton;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.execution.ExecutionSpec;
import dev.escapement.engine.execution.ExecutionSpec.ExecutionConfig;
import dev.escapement.engine.execution.ExecutionSpec.WorkflowRef;
import dev.escapement.kubernetes.cache.ResourceCache;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class TektonAdapterTest {

    private static final TektonAdapter ADAPTER = new TektonAdapter(
            new KubernetesClientBuilder().withConfig(Config.empty()).build(),
            "runs",
            new ResourceCache<>(),
            TektonFixtures.podLookup(),
            InstantSource.system());

    private static Map<String, Object> newSpec(ExecutionConfig config) {
        ExecutionSpec request = new ExecutionSpec(
                new WorkflowRef("repair", "", "r.example/w:v1", "sha256:00"),
                "Node/worker-1",
                new TreeMap<>(Map.of("DEPTH", "2")),
                Optional.empty(),
                Optional.empty(),
                "",
                config);
        return ADAPTER.newRun(request, new ObjectMeta()).getSpec();
    }

    @Test
    void writesPinnedBundleAndParameters() {
        Map<String, Object> spec = newSpec(ExecutionConfig.DEFAULT);
        assertThat(spec)
                .containsOnlyKeys("pipelineRef", "params", "status")
                .containsEntry(
                        "pipelineRef",
                        Map.of(
                                "resolver",
                                "bundles",
                                "params",
                                List.of(
                                        Map.of("name", "bundle", "value", "r.example/w:v1@sha256:00"),
                                        Map.of("name", "name", "value", "workflow"),
                                        Map.of("name", "kind", "value", "pipeline"))))
                .containsEntry(
                        "params",
                        List.of(
                                Map.of("name", "DEPTH", "value", "2"),
                                Map.of("name", "TARGET_RESOURCE", "value", "Node/worker-1")))
                .containsEntry("status", "PipelineRunPending");
    }

    @Test
    void passesServiceAccountAndTimeout() {
        assertThat(newSpec(new ExecutionConfig(Optional.of(Duration.ofMinutes(90)), "fixer", "")))
                .containsEntry("taskRunTemplate", Map.of("serviceAccountName", "fixer"))
                .containsEntry("timeouts", Map.of("pipeline", "5400000ms"));
    }

    @Test
    void roundsShortestTimeoutUpToOneMillisecond() {
        assertThat(newSpec(new ExecutionConfig(Optional.of(Duration.ofNanos(1)), "", "")))
                .containsEntry("timeouts", Map.of("pipeline", "1ms"));
    }
}
