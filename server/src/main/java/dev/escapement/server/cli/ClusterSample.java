package dev.escapement.server.cli;

import dev.escapement.cluster.Bundle;
import dev.escapement.cluster.BundleRegistry;
import dev.escapement.cluster.Cluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** A workflow to begin with, on a cluster that has none. */
final class ClusterSample {

    private static final String PIPELINE = """
            apiVersion: tekton.dev/v1
            kind: Pipeline
            metadata:
              name: workflow
            spec:
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

    private ClusterSample() {}

    /** Puts a bundle into the registry, and a run of it into a file. */
    static Optional<Path> write(Cluster cluster, BundleRegistry registry, boolean tekton) throws IOException {
        if (!tekton) {
            return Optional.empty();
        }
        String bundle =
                registry.add("workflows/sample", "v1", Bundle.of("workflow", "pipeline", "tekton.dev/v1", PIPELINE));
        return Optional.of(Files.writeString(cluster.folder().resolve("sample-run.yaml"), RUN.formatted(bundle)));
    }
}
