package dev.escapement.server.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.testkit.cluster.ClusterExtension;
import dev.escapement.testkit.cluster.TestCluster;
import dev.escapement.testkit.cluster.UntypedExecution;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** An operator checks parameters where a workflow declares them, before the gate. */
@ExtendWith(ClusterExtension.class)
class DeclaredParametersIT {

    private static final String SUCCEEDING_IMAGE = "simulated.local/succeed";
    private static final int LIMIT = 5;

    private final Path files;
    private final OperatorHarness operator;
    private final String namespace;
    private final String target;

    DeclaredParametersIT(TestCluster cluster, @TempDir Path folder) throws IOException {
        this.files = Files.createDirectory(folder.resolve("declared"));
        this.operator = OperatorHarness.start(cluster, folder, Map.of("workflows", files.toString()));
        this.namespace = cluster.createNamespace("parameters");
        this.target = namespace + "/deployment/shop";
        declare("[0-9]+");
    }

    @AfterEach
    void stop() {
        operator.close();
    }

    private void declare(String pattern) throws IOException {
        Files.writeString(files.resolve("scale.yaml"), """
                id: scale
                parameters:
                - name: replica-count
                  required: true
                  pattern: "%s"
                """.formatted(pattern));
    }

    private void create(String name, String workflow, String image, Map<String, String> parameters) {
        create(name, workflow, image, parameters, target);
    }

    private void create(String name, String workflow, String image, Map<String, String> parameters, String onTarget) {
        UntypedExecution asked = new UntypedExecution();
        asked.setMetadata(
                new ObjectMetaBuilder().withNamespace(namespace).withName(name).build());
        asked.setSpec(Map.of(
                "workflowRef",
                Map.of("workflowId", workflow, "version", "1.0.0", "containerImage", image),
                "targetResource",
                onTarget,
                "parameters",
                parameters,
                "executionConfig",
                Map.of("engine", "job", "timeout", "5m")));
        operator.admin().resource(asked).create();
    }

    private String awaitFailure(String name) {
        UntypedExecution failed = operator.await(namespace, name, "Failed");
        String details = String.valueOf(failed.getStatus().get("failureDetails"));
        assertThat(details).contains("ValidationError").contains("wasExecutionFailure=false");
        return details;
    }

    @Test
    void violationFailsOnHeldTarget() {
        create("holder", "repair", "simulated.local/hang", Map.of());
        operator.await(namespace, "holder", "Running");

        create("missing", "scale", SUCCEEDING_IMAGE, Map.of());
        assertThat(awaitFailure("missing")).contains("parameter replica-count is missing");
        create("mismatch", "scale", SUCCEEDING_IMAGE, Map.of("replica-count", "many", "color", "red"));
        assertThat(awaitFailure("mismatch"))
                .contains("must match [0-9]+")
                .contains("color")
                .contains("is unknown");
    }

    @Test
    void violationsHoldBackOnlyTheirWorkflow() {
        for (int i = 0; i < LIMIT; i++) {
            create("invalid-" + i, "scale", SUCCEEDING_IMAGE, Map.of());
            awaitFailure("invalid-" + i);
        }

        create("valid", "scale", SUCCEEDING_IMAGE, Map.of("replica-count", "3"));
        UntypedExecution skipped = operator.await(namespace, "valid", "Skipped");
        assertThat(String.valueOf(skipped.getStatus().get("skipDetails"))).contains("ExhaustedRetries");
        create("other", "restart", SUCCEEDING_IMAGE, Map.of("anything", "goes"));
        operator.await(namespace, "other", "Completed");
    }

    @Test
    void changedFileTakesEffectWithoutRestart() throws IOException {
        create("numbers", "scale", SUCCEEDING_IMAGE, Map.of("replica-count", "three"));
        awaitFailure("numbers");

        declare("[a-z]{2,8}");
        create("words", "scale", SUCCEEDING_IMAGE, Map.of("replica-count", "three"), target + "-2");
        operator.await(namespace, "words", "Completed");
        assertThat(operator.get("/api/v1/workflows").body()).contains("replica-count");
    }
}
