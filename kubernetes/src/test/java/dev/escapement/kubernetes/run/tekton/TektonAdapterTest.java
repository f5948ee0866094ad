package dev.escapement.kubernetes.run.tekton;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.execution.ExecutionSpec;
import dev.escapement.engine.execution.ExecutionSpec.ExecutionConfig;
import dev.escapement.engine.execution.ExecutionSpec.WorkflowRef;
import dev.escapement.engine.execution.RunProgress;
import dev.escapement.engine.port.WorkflowRunner.Observation;
import dev.escapement.kubernetes.cache.ResourceCache;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class TektonAdapterTest {

    private static final Instant START = Instant.parse("2026-11-16T11:59:00Z");

    private static final TektonAdapter ADAPTER = adapterAt(START);

    private static TektonAdapter adapterAt(Instant now) {
        return new TektonAdapter(
                new KubernetesClientBuilder().withConfig(Config.empty()).build(),
                "runs",
                new ResourceCache<>(),
                TektonFixtures.podLookup(),
                InstantSource.fixed(now));
    }

    private static PipelineRun resolvingRun(String timeout) {
        return Serialization.unmarshal("""
                apiVersion: tekton.dev/v1
                kind: PipelineRun
                metadata: {name: run, uid: uid-run}
                spec: {timeouts: {pipeline: %s}}
                status:
                  startTime: "2026-11-16T11:59:00Z"
                  conditions:
                  - {type: Succeeded, status: Unknown, reason: ResolvingPipelineRef, message: awaiting remote resource}
                """.formatted(timeout), PipelineRun.class);
    }

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

    @Test
    void reportsReasonAndMessageOfTektonUnlessFirstTaskComesAtOnce() {
        PipelineRun run = resolvingRun("1h");
        Instant slowAt = START.plusMillis(500);

        assertThat(adapterAt(slowAt.minusNanos(1)).observe(run))
                .isEqualTo(new Observation.Running(
                        RunProgress.UNKNOWN, Optional.empty(), Optional.empty(), Optional.of(slowAt)));
        assertThat(adapterAt(slowAt).observe(run))
                .isEqualTo(new Observation.Running(
                        new RunProgress(0, 0, "awaiting remote resource", "ResolvingPipelineRef")));
    }

    @Test
    void runWithoutTimeoutHasDeadline() {
        assertThat(ADAPTER.deadline(resolvingRun("1h0m0s"))).contains(START.plus(Duration.ofHours(1)));
        assertThat(ADAPTER.deadline(resolvingRun("0s"))).contains(START.plus(Duration.ofDays(1)));
    }

    @Test
    void failedRunHasItsEnd() {
        PipelineRun failed = TektonFixtures.pipelineRun("PipelineRunTimeout", "completionTime: 2026-11-16T12:00:00Z");

        assertThat(ADAPTER.failedAt(failed)).contains(START.plusSeconds(60));
        assertThat(ADAPTER.failedAt(resolvingRun("1h"))).isEmpty();
    }
}
