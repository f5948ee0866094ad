package dev.escapement.server.http.audit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.server.standalone.TestServer;
import dev.escapement.server.standalone.TestServer.ServerResponse;
import dev.escapement.testkit.ConditionPoller;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The audit trail of a real server over REST. */
class AuditRoutesTest {

    private TestServer server;

    @BeforeEach
    void start(@TempDir Path folder) {
        server = TestServer.start(folder);
    }

    @AfterEach
    void close() {
        server.close();
    }

    private void createAs(String actor, String name, String workflow, String target) {
        ServerResponse created = server.send(server.request("/api/v1/executions")
                .header("X-Escapement-By", actor)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(TestServer.executionJson(name, workflow, target, Map.of())))
                .build());
        assertThat(created.status()).isEqualTo(201);
    }

    /** Waits until the trail has that many entries for the query, and returns their types, newest first. */
    private List<String> awaitTypes(String query, int count) {
        ServerResponse found = ConditionPoller.await(
                "the audit trail has " + count + " entries for " + query,
                () -> server.get("/api/v1/audit?" + query),
                response -> response.body().at("/items").size() == count);
        List<String> types = new ArrayList<>();
        found.body()
                .at("/items")
                .forEach(item -> types.add(item.at("/record/event_type").asText()));
        return types;
    }

    @Test
    void recordsWhoCreatedAnExecutionAndWhatBecameOfIt() {
        createAs("anna", "one", "ok", "node/one");
        assertThat(awaitTypes("execution=one", 4))
                .containsExactly("LockReleased", "WorkflowCompleted", "PipelineRunCreated", "WorkflowAccepted");
        JsonNode accepted = server.get("/api/v1/audit?type=WorkflowAccepted&target=node/one")
                .body()
                .at("/items/0/record");
        assertThat(accepted.at("/actor").asText()).startsWith("anna");
        assertThat(accepted.at("/execution").asText()).isEqualTo("default/one");
        assertThat(accepted.at("/workflow_id").asText()).isEqualTo("ok");
        String id = accepted.at("/id").asText();
        assertThat(server.get("/api/v1/audit/" + id).body().at("/record")).isEqualTo(accepted);
    }

    @Test
    void clearanceNamesExecutionAndActor() {
        createAs("anna", "bad", "fails", "node/bad");
        awaitTypes("execution=bad", 4);
        server.post("/api/v1/targets/clear", "{\"target\":\"node/bad\",\"by\":\"otto\",\"reason\":\"looked\"}");
        awaitTypes("type=BlockCleared", 1);
        JsonNode cleared = server.get("/api/v1/audit?type=BlockCleared").body().at("/items/0/record");
        assertThat(cleared.at("/actor").asText()).startsWith("otto");
        assertThat(cleared.at("/execution").asText()).isEqualTo("default/bad");
    }

    @Test
    void exportsAndVerifiesInOrder() {
        createAs("anna", "one", "ok", "node/one");
        awaitTypes("execution=one", 4);
        JsonNode first = server.get("/api/v1/audit/export?limit=2").body().at("/items");
        assertThat(first.findValuesAsText("sequence")).containsExactly("1", "2");
        JsonNode rest = server.get("/api/v1/audit/export?after=2").body().at("/items");
        assertThat(rest.at("/0/previous_hash")).isEqualTo(first.at("/1/hash"));
        JsonNode result = server.get("/api/v1/audit/verification").body();
        assertThat(result.at("/finished").asBoolean()).isTrue();
        assertThat(result.at("/verified").asLong()).isEqualTo(4);
        assertThat(result.at("/problems")).isEmpty();
        String query = "/api/v1/audit/verification?after=2&hash=" + "f".repeat(64);
        assertThat(server.get(query).body().at("/problems")).isNotEmpty();
        assertThat(server.get("/api/v1/audit/checkpoints").body().at("/items")).isEmpty();
    }

    @Test
    void rejectsUnknownIdsTimesAndParameters() {
        assertThat(server.get("/api/v1/audit/unknown").status()).isEqualTo(404);
        assertThat(server.get("/api/v1/audit?since=yesterday").message()).contains("since", "2026-11-18T12:00:00Z");
        assertThat(server.get("/api/v1/audit?colour=red").status()).isEqualTo(400);
        assertThat(server.get("/api/v1/audit?continue=x").status()).isEqualTo(400);
    }
}
