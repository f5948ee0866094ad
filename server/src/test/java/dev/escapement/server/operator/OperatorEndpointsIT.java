package dev.escapement.server.operator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.escapement.common.Json;
import dev.escapement.server.StubHttpServer;
import dev.escapement.testkit.ConditionPoller;
import dev.escapement.testkit.FreePorts;
import dev.escapement.testkit.cluster.ClusterExtension;
import dev.escapement.testkit.cluster.TestCluster;
import dev.escapement.testkit.cluster.UntypedExecution;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** An operator with a database calls endpoints, and runs the remediations of failing ones on the cluster. */
@ExtendWith(ClusterExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OperatorEndpointsIT {

    private static final JsonMapper MAPPER = new JsonMapper();

    private final TestCluster cluster;
    private final Path folder;
    private final String namespace;
    private EmbeddedPostgres postgres;
    private StubHttpServer sink;
    private OperatorHarness operator;

    OperatorEndpointsIT(TestCluster cluster, @TempDir Path folder) {
        this.cluster = cluster;
        this.folder = folder;
        this.namespace = cluster.createNamespace("endpoints");
    }

    @BeforeAll
    void start() throws IOException {
        postgres = EmbeddedPostgres.builder()
                .setPGStartupWait(Duration.ofMinutes(1))
                .setPort(FreePorts.allocateOne())
                .start();
        sink = new StubHttpServer();
        operator = OperatorHarness.start(
                cluster,
                folder,
                Map.of(
                        "database", postgres.getJdbcUrl("postgres", "postgres").replaceFirst("\\?.*", ""),
                        "database-user", "postgres",
                        "endpoints.allow", "127.0.0.1"));
    }

    @AfterAll
    void stop() throws IOException {
        operator.close();
        sink.close();
        postgres.close();
    }

    private JsonNode endpoint(String name) {
        try {
            return MAPPER.readTree(operator.get("/api/v1/endpoints/" + name).body());
        } catch (JsonProcessingException unreadable) {
            throw new AssertionError(unreadable);
        }
    }

    private void addEndpoint(String name, Map<String, Object> more) {
        Map<String, Object> document = new java.util.HashMap<>(more);
        document.put("name", name);
        document.put("url", sink.url("/" + name));
        HttpResponse<String> added = operator.post("/api/v1/endpoints", Json.write(document));
        assertThat(added.statusCode()).as(added.body()).isEqualTo(201);
    }

    /** Runs a failing endpoint once and returns the state of its remediation. */
    private JsonNode addFailingEndpoint(String name, Map<String, Object> remediation) {
        sink.setReply("/" + name, 500, "no");
        addEndpoint(name, Map.of("interval", "1h", "remediation", remediation));
        assertThat(operator.post("/api/v1/endpoints/" + name + "/run", "{}").statusCode())
                .isEqualTo(202);
        return ConditionPoller.await(
                "somebody has asked for the remediation of " + name,
                () -> endpoint(name).at("/status/remediation"),
                remedy -> !remedy.isMissingNode());
    }

    @Test
    void callsEndpointOnSchedule() {
        addEndpoint("beats", Map.of("interval", "1s"));
        sink.await("/beats", 2);
        assertThat(operator.get("/api/v1/runs?endpoint=beats").body()).contains("\"outcome\":\"SUCCEEDED\"");
        assertThat(operator.get("/health/ready").body()).contains("\"database\":\"ok\"");
        assertThat(operator.get("/health/live").body()).contains("\"endpoints\":\"ok\"");
        assertThat(operator.get("/metrics").body())
                .contains("escapement_endpoint_in_flight ")
                .containsPattern("escapement_store_statements_total [1-9]")
                .containsPattern("escapement_store_transactions_total [1-9]");
    }

    @Test
    void runsRemediationImageOnCluster() {
        cluster.admin()
                .resource(new ServiceAccountBuilder()
                        .withNewMetadata()
                        .withNamespace(OperatorHarness.RUNS_NAMESPACE)
                        .withName("repairer")
                        .endMetadata()
                        .build())
                .serverSideApply();
        String target = namespace + "/deployment/sick";
        JsonNode remedy = addFailingEndpoint(
                "sick",
                Map.of(
                        "after",
                        1,
                        "workflow",
                        "restart",
                        "target",
                        target,
                        "namespace",
                        namespace,
                        "parameters",
                        Map.of("HOW", "gently"),
                        "containerImage",
                        "simulated.local/succeed",
                        "engine",
                        "job",
                        "serviceAccountName",
                        "repairer"));
        assertThat(remedy.path("state").asText()).as(remedy.toString()).isEqualTo("REQUESTED");
        UntypedExecution done =
                operator.await(namespace, remedy.path("execution").asText(), "Completed");
        assertThat(done.getMetadata().getAnnotations()).containsEntry("escapement.dev/endpoint", "sick");
        List<Job> runs = cluster.admin()
                .batch()
                .v1()
                .jobs()
                .inNamespace(OperatorHarness.RUNS_NAMESPACE)
                .withLabel("kubernaut.ai/execution-uid", done.getMetadata().getUid())
                .list()
                .getItems();
        assertThat(runs).hasSize(1);
        assertThat(runs.get(0).getSpec().getTemplate().getSpec().getServiceAccountName())
                .isEqualTo("repairer");
        ConditionPoller.await(
                "the endpoint shows what became of it",
                () -> endpoint("sick")
                        .at("/status/remediation/executionPhase")
                        .asText()
                        .equals("Completed"));
        assertThat(endpoint("sick").at("/remediation/containerImage").asText()).isEqualTo("simulated.local/succeed");
    }

    @Test
    void refusesRemediationWithoutImage() {
        String target = namespace + "/deployment/imageless";
        JsonNode refused = addFailingEndpoint(
                "imageless", Map.of("after", 1, "workflow", "restart", "target", target, "namespace", namespace));
        assertThat(refused.path("state").asText()).isEqualTo("REFUSED");
        assertThat(refused.path("reason").asText()).contains("remediation.containerImage is missing");
        assertThat(operator.get("/api/v1/executions?target=" + target).body()).contains("\"items\":[]");
    }

    @Test
    void showsRejectionMessageOfApiServer() {
        JsonNode refused = addFailingEndpoint(
                "homeless",
                Map.of(
                        "after", 1,
                        "workflow", "restart",
                        "target", namespace + "/deployment/homeless",
                        "namespace", "no-such-namespace",
                        "containerImage", "simulated.local/succeed"));
        assertThat(refused.path("state").asText()).isEqualTo("REFUSED");
        assertThat(refused.path("reason").asText()).contains("the API server rejected it", "no-such-namespace");
    }
}
