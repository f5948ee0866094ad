package dev.escapement.server.http.execution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.server.standalone.TestServer;
import dev.escapement.server.standalone.TestServer.ServerResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a standalone server cannot honour, it refuses instead of ignoring it. */
class ClusterOnlyFieldsTest {

    @Test
    void refusesFieldsThatOnlyAClusterCanHonour(@TempDir Path folder) {
        try (TestServer server = TestServer.start(folder)) {
            String digest = "sha256:" + "0".repeat(64);
            String document = """
                {"apiVersion": "kubernaut.ai/v1alpha1", "kind": "WorkflowExecution",
                 "metadata": {"name": "pinned"}, "spec": {"targetResource": "node/pinned",
                 "workflowRef": {"workflowId": "ok", "containerImage": "registry.example/ok@%s",
                                 "containerDigest": "%s"},
                 "executionConfig": {"engine": "tekton", "serviceAccountName": "worker"}}}\
                """.formatted(digest, digest);
            ServerResponse refused = server.post("/api/v1/executions", document);
            assertThat(refused.status()).describedAs(refused.raw().body()).isEqualTo(400);
            String rule = "only an operator on Kubernetes can honour it, because this server runs workflows as local"
                    + " processes; leave it out";
            assertThat(refused.message())
                    .startsWith("WorkflowExecution \"pinned\" refused: ")
                    .contains(
                            "spec.executionConfig.engine is \"tekton\": " + rule,
                            "spec.executionConfig.serviceAccountName is \"worker\": " + rule,
                            "spec.workflowRef.containerDigest is \"" + digest + "\": " + rule,
                            "spec.workflowRef.containerImage is \"registry.example/ok@" + digest + "\": " + rule);
            assertThat(server.get("/api/v1/executions/pinned").status()).isEqualTo(404);
            String image = """
                {"apiVersion": "kubernaut.ai/v1alpha1", "kind": "WorkflowExecution",
                 "metadata": {"name": "imaged"}, "spec": {"targetResource": "node/imaged",
                 "workflowRef": {"workflowId": "ok", "containerImage": "registry.example/ok:1"}}}\
                """;
            assertThat(server.post("/api/v1/executions", image).status()).isEqualTo(201);
            // The process of the run writes to the folder that is deleted after the test.
            server.awaitPhase("imaged", "Completed");
        }
    }
}
