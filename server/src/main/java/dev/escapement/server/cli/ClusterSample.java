package dev.escapement.server.cli;

import dev.escapement.cluster.Bundle;
import dev.escapement.cluster.BundleRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A workflow to begin with, on a cluster that has none. */
final class ClusterSample {

    private static final String PIPELINE = """
            apiVersion: tekton.dev/v1
            kind: Pipeline
            metadata:
              name: workflow
            spec:
              params:
              - {name: TARGET_RESOURCE, type: string, default: node/worker-1}
              tasks:
              - name: drain
                taskSpec:
                  steps:
                  - {name: drain, image: "simulated.local/succeed:2s", command: [run]}
              - name: restart
                runAfter: [drain]
                taskSpec:
                  steps:
                  - {name: restart, image: "simulated.local/succeed:2s", command: [run]}
            """;

    private static final String RUN = """
            apiVersion: tekton.dev/v1
            kind: PipelineRun
            metadata:
              generateName: sample-
              namespace: default
            spec:
              pipelineRef:
                resolver: bundles
                params:
                - {name: bundle, value: "%s"}
                - {name: name, value: workflow}
                - {name: kind, value: pipeline}
            """;

    private static final String EXECUTION = """
            apiVersion: kubernaut.ai/v1alpha1
            kind: WorkflowExecution
            metadata:
              generateName: sample-
              namespace: default
            spec:
              workflowRef:
                workflowId: sample
                version: "1.0.0"
                containerImage: "%s"
              targetResource: node/worker-1
              executionConfig:
                engine: tekton
            """;

    private ClusterSample() {}

    /** Puts a bundle into the registry and returns its reference. */
    static String bundle(BundleRegistry registry) {
        return registry.add("workflows/sample", "v1", Bundle.of("workflow", "pipeline", "tekton.dev/v1", PIPELINE));
    }

    /** A file with a run of the bundle, for Tekton alone. */
    static Path run(Path folder, String bundle) throws IOException {
        return Files.writeString(folder.resolve("sample-run.yaml"), RUN.formatted(bundle));
    }

    /** A file with a request for it, for the operator. */
    static Path execution(Path folder, String bundle) throws IOException {
        return Files.writeString(folder.resolve("sample-execution.yaml"), EXECUTION.formatted(bundle));
    }
}
