package dev.escapement.server.operator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.api.ApiGroup;
import dev.escapement.common.Json;
import dev.escapement.server.notification.RawReceiver;
import dev.escapement.testkit.ConditionPoller;
import dev.escapement.testkit.cluster.ClusterExtension;
import dev.escapement.testkit.cluster.TestCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Notifications of a whole operator, with the permissions of an installation. */
@ExtendWith(ClusterExtension.class)
class OperatorNotificationsIT {

    private final RawReceiver receiver = new RawReceiver(number -> RawReceiver.answer(200, ""));
    private final OperatorHarness operator;
    private final String namespace;

    OperatorNotificationsIT(TestCluster cluster, @TempDir Path folder) throws IOException {
        Path file = Files.writeString(
                folder.resolve("notifications.yaml"),
                "channels: {hook: {type: webhook, url: \"%s\"}}\ndefault: [hook]\n".formatted(receiver.url()));
        this.operator = OperatorHarness.start(
                cluster, folder, Map.of("notifications.file", file.toString(), "notifications.allow", "127.0.0.1"));
        this.namespace = cluster.createNamespace("notified");
    }

    @AfterEach
    void close() {
        operator.close();
        receiver.close();
    }

    private JsonNode get(String path) {
        return Json.read(operator.get(path).body(), JsonNode.class);
    }

    @Test
    void notifiesOfSkipFailureAndClearance() {
        String target = namespace + "/deployment/a";
        operator.createExecution(namespace, "first", target, "simulated.local/hang");
        operator.await(namespace, "first", "Running");
        operator.createExecution(namespace, "second", target, "simulated.local/succeed");
        operator.await(namespace, "second", "Skipped");
        operator.execution(namespace, "first").edit(found -> {
            found.getMetadata().setAnnotations(Map.of(ApiGroup.CANCELLED_BY, "anna"));
            return found;
        });
        operator.await(namespace, "first", "Failed");
        ConditionPoller.await(
                "the target is cleared",
                () -> operator.post(
                                        "/api/v1/targets/clear",
                                        "{\"target\": \"%s\", \"by\": \"anna\", \"reason\": \"looked\"}"
                                                .formatted(target))
                                .statusCode()
                        == 200);

        String list = "/api/v1/notifications?phase=Sent&target=" + target;
        ConditionPoller.await("all are sent", () -> get(list).at("/items").size() == 3);
        assertThat(get(list).at("/items").findValuesAsText("eventType"))
                .containsExactlyInAnyOrder("WorkflowSkipped", "WorkflowFailed", "BlockCleared");
        assertThat(get(list + "&severity=info").at("/items").findValuesAsText("eventType"))
                .contains("WorkflowSkipped", "BlockCleared");
        assertThat(receiver.requests()).hasSize(3);

        JsonNode page = get(list + "&limit=2");
        assertThat(page.at("/items")).hasSize(2);
        assertThat(get(list + "&limit=2&continue="
                                + page.at("/metadata/continue").asText())
                        .at("/items"))
                .hasSize(1);
        String name = page.at("/items/0/metadata/name").asText();
        assertThat(get("/api/v1/notifications/" + name).at("/status/phase").asText())
                .isEqualTo("Sent");
        assertThat(operator.get("/api/v1/notifications/none").statusCode()).isEqualTo(404);
        assertThat(operator.get("/metrics").body())
                .contains("escapement_notifications_finished_total{phase=\"Sent\"} 3.0");
    }

    @Test
    void testsChannel() {
        var sent = operator.post("/api/v1/notifications/test", "{\"channel\": \"hook\", \"by\": \"anna\"}");
        assertThat(Json.read(sent.body(), JsonNode.class).path("sent").asBoolean())
                .as(sent.body())
                .isTrue();
        assertThat(receiver.requests()).hasSize(1);
        assertThat(operator.post("/api/v1/notifications/test", "{\"channel\": \"fax\"}")
                        .statusCode())
                .isEqualTo(404);
    }
}
