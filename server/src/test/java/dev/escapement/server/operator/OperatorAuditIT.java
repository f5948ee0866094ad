package dev.escapement.server.operator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.common.Json;
import dev.escapement.governor.Target;
import dev.escapement.testkit.ConditionPoller;
import dev.escapement.testkit.cluster.ClusterExtension;
import dev.escapement.testkit.cluster.TestCluster;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Audit records of a cluster without a database, with a real receiver. */
@ExtendWith(ClusterExtension.class)
@Timeout(value = 4, unit = TimeUnit.MINUTES)
class OperatorAuditIT {

    private static final String ACCOUNT = "system:serviceaccount:kubernaut-system:escapement";
    private static final Set<String> WRITES = Set.of("create", "update", "patch", "delete");
    private static final List<String> COMPLETED =
            List.of("WorkflowAccepted", "PipelineRunCreated", "WorkflowCompleted", "LockReleased");

    private final TestCluster cluster;
    private final String namespace;
    private final AuditReceiver receiver;

    @TempDir
    Path folder = Path.of("");

    OperatorAuditIT(TestCluster cluster) throws IOException {
        this.cluster = cluster;
        this.namespace = cluster.createNamespace("audited");
        this.receiver = new AuditReceiver();
    }

    @BeforeEach
    void grantConfigMaps() {
        OperatorHarness.install(cluster);
        cluster.cluster().apply(Path.of("..", "deploy", "kubernetes", "audit.yaml"));
        position().delete();
    }

    @AfterEach
    void close() {
        receiver.close();
        position().delete();
    }

    private Resource<ConfigMap> position() {
        return cluster.admin()
                .configMaps()
                .inNamespace(OperatorHarness.SYSTEM_NAMESPACE)
                .withName("escapement-audit-sink");
    }

    private OperatorHarness start() {
        return OperatorHarness.start(cluster, folder, Map.of("audit.sink.url", receiver.url()));
    }

    private void create(OperatorHarness operator, String name, String remediation, String image) {
        var created = operator.post("/api/v1/executions?namespace=" + namespace, """
                {"apiVersion": "kubernaut.ai/v1alpha1", "kind": "WorkflowExecution", "metadata": {"name": "%s"},
                 "spec": {"workflowRef": {"workflowId": "repair", "containerImage": "simulated.local/%s"},
                          "remediationRequestRef": {"name": "%s", "namespace": "%s"},
                          "targetResource": "%s/deployment/%s",
                          "executionConfig": {"engine": "job", "timeout": "5m"}}}
                """.formatted(
                        name, image, remediation, namespace, namespace, name));
        assertThat(created.statusCode()).as(created.body()).isEqualTo(201);
    }

    private List<String> types(String execution) {
        return receiver.distinct(namespace).stream()
                .filter(record -> record.path("execution").asText().equals(namespace + "/" + execution))
                .map(record -> record.path("event_type").asText())
                .toList();
    }

    private void awaitTypes(String execution, List<String> expected) {
        ConditionPoller.await("the records of " + execution, () -> types(execution), expected::equals);
    }

    @Test
    void deliversEveryTransitionOnceAndInOrder() {
        try (OperatorHarness operator = start()) {
            create(operator, "good", "rr-1", "succeed");
            operator.await(namespace, "good", "Completed");
            awaitTypes("good", COMPLETED);
            create(operator, "bad", "rr-2", "exit:3");
            operator.await(namespace, "bad", "Failed");
            awaitTypes("bad", List.of("WorkflowAccepted", "PipelineRunCreated", "WorkflowFailed", "LockReleased"));
            clear(operator);
        }
        assertThat(receiver.accepted())
                .extracting(record -> record.path("id").asText())
                .as("one leader repeats nothing")
                .doesNotHaveDuplicates();
        assertThat(receiver.distinct(namespace)).allSatisfy(record -> {
            assertThat(record.path("correlation_id").asText()).contains("rr-");
            assertThat(record.path("remediation_id").asText()).contains("rr-");
        });
    }

    /** A clearance names who cleared, the execution and its remediation. */
    private void clear(OperatorHarness operator) {
        String target = Target.parse(namespace + "/deployment/bad").objectName();
        var cleared = operator.post(
                "/api/v1/targets/" + target + "/clear", "{\"by\": \"anna\", \"reason\": \"looked at it\"}");
        assertThat(cleared.statusCode()).as(cleared.body()).isEqualTo(200);
        JsonNode record = ConditionPoller.awaitPresent(
                "the clearance",
                () -> receiver.distinct(namespace).stream()
                        .filter(each -> each.path("event_type").asText().equals("BlockCleared"))
                        .findFirst());
        assertThat(record.path("actor").asText()).contains("anna");
        assertThat(record.path("execution").asText()).isEqualTo(namespace + "/bad");
        assertThat(record.path("remediation_id").asText()).contains("rr-2");
    }

    @Test
    void losesNothingWhileReceiverIsAwayAndOperatorIsReplaced() {
        receiver.fail(true);
        try (OperatorHarness first = start()) {
            create(first, "kept", "rr-1", "succeed");
            first.await(namespace, "kept", "Completed");
            create(first, "deleted", "rr-1", "succeed");
            first.await(namespace, "deleted", "Completed");
            create(first, "stopped", "rr-2", "hang");
            first.await(namespace, "stopped", "Running");
            assertThat(first.delete("/api/v1/executions/deleted?namespace=" + namespace)
                            .statusCode())
                    .isEqualTo(200);
            ConditionPoller.await("the receiver has failed in every way", () -> receiver.failureCount() >= 4);
        }
        assertThat(receiver.accepted()).isEmpty();
        try (OperatorHarness second = start()) {
            assertThat(second.post("/api/v1/executions/stopped/cancel?namespace=" + namespace, "{\"by\": \"anna\"}")
                            .statusCode())
                    .isEqualTo(200);
            second.await(namespace, "stopped", "Failed");
            receiver.fail(false);
            awaitTypes("kept", COMPLETED);
            awaitTypes(
                    "deleted",
                    Stream.concat(COMPLETED.stream(), Stream.of("ExecutionDeleted"))
                            .toList());
            awaitTypes(
                    "stopped",
                    List.of(
                            "WorkflowAccepted",
                            "PipelineRunCreated",
                            "CancellationRequested",
                            "WorkflowFailed",
                            "LockReleased"));
        }
        assertThat(receiver.distinct(namespace))
                .filteredOn(record -> record.path("correlation_id").asText().contains("rr-1"))
                .extracting(record -> record.path("execution").asText().replace(namespace + "/", "") + " "
                        + record.path("event_type").asText())
                .as("the order of one remediation")
                .startsWith("kept WorkflowAccepted", "kept PipelineRunCreated", "kept WorkflowCompleted")
                .endsWith("deleted ExecutionDeleted");
        try (OperatorHarness third = start()) {
            int before = receiver.accepted().size();
            create(third, "last", "rr-3", "succeed");
            third.await(namespace, "last", "Completed");
            awaitTypes("last", COMPLETED);
            assertThat(receiver.accepted().size() - before)
                    .as("a stop stores the position")
                    .isEqualTo(COMPLETED.size());
        }
    }

    @Test
    void refusedRecordsCanBeSeenAndReplayed() {
        receiver.refuse(record -> record.path("execution").asText().endsWith("/odd"));
        try (OperatorHarness operator = start()) {
            create(operator, "odd", "rr-1", "succeed");
            create(operator, "plain", "rr-2", "succeed");
            operator.await(namespace, "odd", "Completed");
            awaitTypes("plain", COMPLETED);
            ConditionPoller.await("all are refused", () -> deadLetters(operator), letters -> letters == 4);
            assertThat(operator.get("/metrics").body()).contains("escapement_audit_sink_lag ");
            assertThat(operator.get("/api/v1/audit").body()).contains("audit.sink.url");

            receiver.refuse(record -> false);
            assertThat(operator.post("/api/v1/audit/dead-letters/replay", "").statusCode())
                    .isEqualTo(202);
            awaitTypes("odd", COMPLETED);
            ConditionPoller.await("none is left", () -> deadLetters(operator), letters -> letters == 0);
        }
    }

    private static int deadLetters(OperatorHarness operator) {
        return Json.read(operator.get("/api/v1/audit/dead-letters").body(), JsonNode.class)
                .path("items")
                .size();
    }

    @Test
    void writesNothingMorePerExecution() throws IOException {
        int executions = 20;
        int firstLine = Files.readAllLines(cluster.cluster().auditLog()).size();
        try (OperatorHarness operator = start()) {
            for (int number = 0; number < executions; number++) {
                create(operator, "e" + number, "rr-" + number, "succeed");
            }
            for (int number = 0; number < executions; number++) {
                awaitTypes("e" + number, COMPLETED);
            }
        }
        ConditionPoller.await("the position is stored at the end", () -> positionWrites(firstLine) >= 1);
        assertThat(positionWrites(firstLine))
                .as("writes of the position for %d records", executions * COMPLETED.size())
                .isLessThanOrEqualTo(4);
    }

    private long positionWrites(int firstLine) {
        try {
            List<String> lines = Files.readAllLines(cluster.cluster().auditLog());
            return lines.subList(firstLine, lines.size()).stream()
                    .filter(line -> line.contains(ACCOUNT) && line.contains("configmaps") && line.endsWith("}"))
                    .map(line -> Json.read(line, JsonNode.class))
                    .filter(call -> WRITES.contains(call.path("verb").asText()))
                    .count();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
