package dev.escapement.server.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.server.StubHttpServer;
import dev.escapement.server.standalone.TestServer;
import dev.escapement.server.standalone.TestServer.ServerResponse;
import dev.escapement.testkit.ConditionPoller;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** A failing endpoint requests a workflow through the gate, with real processes. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EndpointRemediationTest {

    private final Path folder;
    private final StubHttpServer sink;
    private final TestServer server;

    EndpointRemediationTest(@TempDir Path folder) throws IOException {
        this.folder = folder;
        sink = new StubHttpServer();
        server = TestServer.start(folder, Map.of("endpoints.allow", "127.0.0.1"));
    }

    @AfterAll
    void stop() {
        server.close();
        sink.close();
    }

    private void createFailingEndpoint(String name, Map<String, Object> remediation) {
        sink.setReply("/" + name, 500, "no");
        server.createEndpoint(name, Map.of("url", sink.url("/" + name), "interval", "1h", "remediation", remediation));
    }

    private void runEndpoint(String name) {
        int before = countRuns(name);
        ConditionPoller.await(
                "a run of " + name + " may be requested",
                () -> server.post("/api/v1/endpoints/" + name + "/run", "{}").status() == 202);
        ConditionPoller.await(name + " has run", () -> countRuns(name) > before);
    }

    private int countRuns(String name) {
        return server.get("/api/v1/endpoints/" + name).body().at("/status/runs").asInt();
    }

    private ServerResponse awaitRemediation(String name, String state, long run) {
        return server.awaitEndpoint(
                name,
                "has a remediation that is " + state,
                seen -> seen.text("/status/remediation/state").equals(state)
                        && seen.body().at("/status/remediation/run").asLong() == run);
    }

    @Test
    void runsWorkflowAfterThresholdAndNotAgainWhileActiveOrCoolingDown() throws IOException {
        Path gate = folder.resolve("gate");
        createFailingEndpoint(
                "shop",
                Map.of(
                        "after",
                        2,
                        "workflow",
                        "waits",
                        "target",
                        "node/shop",
                        "parameters",
                        Map.of("GATE", gate.toString())));
        runEndpoint("shop");
        runEndpoint("shop");
        ServerResponse asked = awaitRemediation("shop", "REQUESTED", 2);
        String execution = asked.text("/status/remediation/execution");
        ServerResponse running = server.awaitPhase(execution, "Running");
        assertThat(running.text("/spec/rationale")).contains("endpoint shop has failed");
        assertThat(running.body().at("/metadata/annotations").toString()).contains("shop");
        assertThat(server.get("/api/v1/endpoints/shop").text("/status/remediation/executionPhase"))
                .isEqualTo("Running");

        runEndpoint("shop");
        ServerResponse busy = awaitRemediation("shop", "HELD_BACK", 3);
        assertThat(busy.text("/status/remediation/reason"))
                .startsWith("ResourceBusy")
                .contains(execution);
        assertThat(busy.text("/status/remediation/execution"))
                .as("the last execution is still shown")
                .isEqualTo(execution);
        assertThat(server.patch("/api/v1/endpoints/shop", "{\"remediation\":{\"namespace\":\"elsewhere\"}}")
                        .status())
                .isEqualTo(200);
        assertThat(server.get("/api/v1/endpoints/shop").text("/status/remediation/executionPhase"))
                .as("it keeps its namespace")
                .isEqualTo("Running");

        Files.createFile(gate);
        server.awaitPhase(execution, "Completed");
        runEndpoint("shop");
        ServerResponse cooling = awaitRemediation("shop", "HELD_BACK", 4);
        assertThat(cooling.text("/status/remediation/reason")).startsWith("RecentlyRemediated");
        assertThat(cooling.text("/status/remediation/until")).isNotEmpty();
        assertThat(server.get("/api/v1/executions?target=node/shop").body().path("items"))
                .hasSize(1);
        assertThat(server.get("/metrics").raw().body())
                .containsPattern("escapement_endpoint_remediations_total\\{state=\"HELD_BACK\"\\} [1-9]");
    }

    @Test
    void holdsBackAfterWorkflowFailedDuringExecution() {
        createFailingEndpoint("breaks", Map.of("after", 1, "workflow", "fails", "target", "node/breaks"));
        runEndpoint("breaks");
        String execution = awaitRemediation("breaks", "REQUESTED", 1).text("/status/remediation/execution");
        server.awaitPhase(execution, "Failed");
        runEndpoint("breaks");
        ServerResponse blocked = awaitRemediation("breaks", "HELD_BACK", 2);
        assertThat(blocked.text("/status/remediation/reason")).startsWith("PreviousExecutionFailed");
        assertThat(blocked.body().at("/status/remediation/until").isMissingNode())
                .isTrue();
    }

    @Test
    void refusesUnknownWorkflowWithoutCreatingExecution() {
        createFailingEndpoint("unknown", Map.of("after", 1, "workflow", "no-such", "target", "node/unknown"));
        runEndpoint("unknown");
        ServerResponse refused = awaitRemediation("unknown", "REFUSED", 1);
        assertThat(refused.text("/status/remediation/reason")).contains("\"no-such\"");
        assertThat(server.get("/api/v1/executions?target=node/unknown").body().path("items"))
                .isEmpty();
        assertThat(server.get("/api/v1/targets/node%2Funknown").text("/status/state"))
                .isEqualTo("Free");
    }

    @Test
    void refusesInvalidNamespaceWithoutCreatingExecution() {
        createFailingEndpoint(
                "odd", Map.of("after", 1, "workflow", "ok", "target", "node/odd", "namespace", "No Namespace"));
        runEndpoint("odd");
        assertThat(awaitRemediation("odd", "REFUSED", 1).text("/status/remediation/reason"))
                .contains("metadata.namespace");
    }
}
