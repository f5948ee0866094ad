package dev.escapement.testkit.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A sample workflow for a new cluster. */
final class SampleManifests {

    private static final String PIPELINE_RUN = """
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
              params:
              - {name: TARGET_RESOURCE, value: node/worker-1}
            """;

    private static final String EXECUTION = """
            apiVersion: kubernaut.ai/v1alpha1
            kind: WorkflowExecution
            metadata:
              generateName: sample-
              namespace: default
            spec:
              workflowRef:
                workflowId: restart-deployment
                version: "1.0.0"
                containerImage: "%s"
              targetResource: node/worker-1
              executionConfig:
                engine: tekton
            """;

    private SampleManifests() {}

    /** Adds the pipeline of the file to the registry as a bundle and returns its reference. */
    static String pushBundle(BundleRegistry registry, Path pipeline) throws IOException {
        return registry.add(
                "workflows/restart-deployment",
                "1.0.0",
                TektonBundle.of("workflow", "pipeline", "tekton.dev/v1", Files.readString(pipeline)));
    }

    /** Writes a file with a PipelineRun of the bundle. */
    static Path writePipelineRun(Path folder, String bundle) throws IOException {
        return Files.writeString(folder.resolve("sample-run.yaml"), PIPELINE_RUN.formatted(bundle));
    }

    /** Writes a file with a WorkflowExecution of the bundle. */
    static Path writeExecution(Path folder, String bundle) throws IOException {
        return Files.writeString(folder.resolve("sample-execution.yaml"), EXECUTION.formatted(bundle));
    }
}
