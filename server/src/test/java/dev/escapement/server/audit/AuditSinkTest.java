package dev.escapement.server.audit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.escapement.common.Json;
import dev.escapement.server.StubHttpServer;
import dev.escapement.server.StubHttpServer.RecordedRequest;
import dev.escapement.server.standalone.TestServer;
import dev.escapement.testkit.ConditionPoller;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real server sends its audit records to a real receiver. */
class AuditSinkTest {

    private static final String PATH = "/hub/api/v1/audit/events/batch";

    private final StubHttpServer receiver;
    private final Path folder;

    AuditSinkTest(@TempDir Path folder) throws IOException {
        this.folder = folder;
        this.receiver = new StubHttpServer();
        Files.writeString(folder.resolve("sink-token"), "s3cret-of-the-sink\n");
    }

    @AfterEach
    void close() {
        receiver.close();
    }

    private TestServer start() {
        return TestServer.start(
                folder,
                Map.of(
                        "audit.sink.url", receiver.url("/hub/"),
                        "audit.sink.token-file", folder.resolve("sink-token").toString()));
    }

    /** Returns the types of the records that arrived, without repeats. */
    private List<String> arrived() {
        List<String> types = new ArrayList<>();
        List<String> ids = new ArrayList<>();
        for (RecordedRequest request : receiver.requestsTo(PATH)) {
            for (JsonNode record : Json.read(request.body(), ArrayNode.class)) {
                if (!ids.contains(record.path("id").asText())) {
                    ids.add(record.path("id").asText());
                    types.add(record.path("event_type").asText());
                }
            }
        }
        return types;
    }

    @Test
    void recordsArriveInOrderWithTheToken() {
        receiver.setReply(PATH, 202, "");
        try (TestServer server = start()) {
            server.createExecution("one", "ok", "node/one", Map.of());
            ConditionPoller.await("all records arrive", () -> arrived().size() == 4);
            assertThat(arrived())
                    .containsExactly("WorkflowAccepted", "PipelineRunCreated", "WorkflowCompleted", "LockReleased");
            assertThat(receiver.requestsTo(PATH).get(0).header("Authorization")).hasValue("Bearer s3cret-of-the-sink");
            ConditionPoller.await(
                    "the metrics show no lag",
                    () -> server.get("/metrics").raw().body().contains("escapement_audit_sink_lag 0.0"));
        }
    }

    @Test
    void nothingIsLostWhileTheSinkIsAwayAndTheServerRestarts() {
        receiver.setReply(PATH, 503, "not now");
        try (TestServer server = start()) {
            server.createExecution("one", "ok", "node/one", Map.of());
            server.awaitPhase("one", "Completed");
            ConditionPoller.await(
                    "the sink was tried", () -> !receiver.requestsTo(PATH).isEmpty());
        }
        receiver.setReply(PATH, 200, "");
        try (TestServer server = start()) {
            ConditionPoller.await("all records arrive", () -> arrived().size() == 4);
            assertThat(server.get("/api/v1/audit/dead-letters").body().at("/items"))
                    .isEmpty();
        }
    }

    @Test
    void refusedRecordsAreListedAndSentAgain() {
        receiver.setReply(PATH, 422, "unknown field");
        try (TestServer server = start()) {
            server.createExecution("one", "ok", "node/one", Map.of());
            ConditionPoller.await(
                    "all records are refused",
                    () -> server.get("/api/v1/audit/dead-letters")
                                    .body()
                                    .at("/items")
                                    .size()
                            == 4);
            JsonNode letter = server.get("/api/v1/audit/dead-letters").body().at("/items/0");
            assertThat(letter.at("/status").asInt()).isEqualTo(422);
            assertThat(letter.at("/error").asText()).isEqualTo("unknown field");
            receiver.setReply(PATH, 200, "");
            assertThat(server.post("/api/v1/audit/dead-letters/replay", "").status())
                    .isEqualTo(202);
            ConditionPoller.await(
                    "all records are delivered",
                    () -> server.get("/api/v1/audit/dead-letters")
                            .body()
                            .at("/items")
                            .isEmpty());
        }
    }
}
