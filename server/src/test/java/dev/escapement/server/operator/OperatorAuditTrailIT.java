package dev.escapement.server.operator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.common.Json;
import dev.escapement.storage.PostgresTestDatabase;
import dev.escapement.testkit.ConditionPoller;
import dev.escapement.testkit.cluster.ClusterExtension;
import dev.escapement.testkit.cluster.TestCluster;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The audit trail of an operator with a database, and the sink that follows it. */
@ExtendWith(ClusterExtension.class)
class OperatorAuditTrailIT {

    private static final List<String> COMPLETED =
            List.of("WorkflowAccepted", "PipelineRunCreated", "WorkflowCompleted", "LockReleased");

    private final TestCluster cluster;
    private final Path folder;
    private final String namespace;
    private final PostgresTestDatabase database = PostgresTestDatabase.create();
    private final AuditReceiver receiver;

    OperatorAuditTrailIT(TestCluster cluster, @TempDir Path folder) throws IOException {
        this.cluster = cluster;
        this.folder = folder;
        this.namespace = cluster.createNamespace("trail");
        this.receiver = new AuditReceiver();
        OperatorHarness.install(cluster);
        cluster.cluster().apply(Path.of("..", "deploy", "kubernetes", "audit.yaml"));
        deletePosition();
    }

    @AfterEach
    void close() {
        receiver.close();
        database.close();
        deletePosition();
    }

    private void deletePosition() {
        cluster.admin()
                .configMaps()
                .inNamespace(OperatorHarness.SYSTEM_NAMESPACE)
                .withName("escapement-audit-sink")
                .delete();
    }

    private OperatorHarness start() {
        return OperatorHarness.start(
                cluster,
                folder,
                Map.of(
                        "database", PostgresTestDatabase.url(database.name()),
                        "database-user", PostgresTestDatabase.USER,
                        "audit.sink.url", receiver.url()));
    }

    private static List<String> types(OperatorHarness operator, String execution) {
        JsonNode page =
                Json.read(operator.get("/api/v1/audit/export?limit=1000").body(), JsonNode.class);
        return StreamSupport.stream(page.path("items").spliterator(), false)
                .map(entry -> entry.path("record"))
                .filter(record -> record.path("execution").asText().equals(execution))
                .map(record -> record.path("event_type").asText())
                .toList();
    }

    @Test
    void trailHasEveryTransitionOnceAndFeedsTheSink() {
        try (OperatorHarness operator = start()) {
            operator.createExecution(namespace, "one", namespace + "/deployment/one", "simulated.local/succeed");
            operator.await(namespace, "one", "Completed");
            ConditionPoller.await(
                    "the trail has all",
                    () -> types(operator, namespace + "/one").size() >= COMPLETED.size());
        }
        // What was sent since the position was stored is sent again.
        deletePosition();
        try (OperatorHarness operator = start()) {
            operator.createExecution(namespace, "two", namespace + "/deployment/two", "simulated.local/succeed");
            operator.await(namespace, "two", "Completed");
            ConditionPoller.await(
                    "the trail has all",
                    () -> types(operator, namespace + "/two").size() >= COMPLETED.size());
            assertThat(types(operator, namespace + "/one")).isEqualTo(COMPLETED);
            assertThat(types(operator, namespace + "/two")).isEqualTo(COMPLETED);
            JsonNode verification =
                    Json.read(operator.get("/api/v1/audit/verification").body(), JsonNode.class);
            assertThat(verification.path("finished").asBoolean()).isTrue();
            assertThat(verification.path("problems")).isEmpty();
            ConditionPoller.await(
                    "the sink has all", () -> receiver.distinct(namespace).size() >= 2 * COMPLETED.size());
        }
    }
}
