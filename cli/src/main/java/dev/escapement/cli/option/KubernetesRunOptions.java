package dev.escapement.cli.option;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The options of {@code run} that only a cluster uses: there, a workflow is a container image. */
public final class KubernetesRunOptions {

    @Option(
            names = "--image",
            paramLabel = "IMAGE",
            description = "On a cluster: the Tekton bundle of the workflow, or the image of its Job.")
    private Optional<String> image = Optional.empty();

    @Option(names = "--digest", paramLabel = "DIGEST", description = "On a cluster: pins the image (sha256:…).")
    private Optional<String> digest = Optional.empty();

    @Option(
            names = "--engine",
            paramLabel = "ENGINE",
            description = "On a cluster: tekton or job. Default: the setting of the operator")
    private Optional<String> engine = Optional.empty();

    @Option(
            names = "--service-account",
            paramLabel = "NAME",
            description = "On a cluster: service account of the run, in the namespace of the runs.")
    private Optional<String> serviceAccount = Optional.empty();

    public void addTo(ObjectNode workflowRef, ObjectNode executionConfig) {
        image.ifPresent(given -> workflowRef.put("containerImage", given));
        digest.ifPresent(given -> workflowRef.put("containerDigest", given));
        engine.ifPresent(given -> executionConfig.put("engine", given));
        serviceAccount.ifPresent(given -> executionConfig.put("serviceAccountName", given));
    }
}
