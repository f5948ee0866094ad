package dev.escapement.server.http.execution;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.server.standalone.TestServer;
import dev.escapement.server.standalone.TestServer.ServerResponse;
import dev.escapement.testkit.ConditionPoller;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The lifecycle of executions over real HTTP, with the real store and real processes. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ExecutionLifecycleTest {

    private final TestServer server;
    private final Path folder;

    ExecutionLifecycleTest(@TempDir Path folder) {
        this.folder = folder;
        this.server = TestServer.start(folder);
    }

    @AfterAll
    void stop() {
        server.close();
    }

    private Map<String, String> gateParameter(String name) {
        return Map.of("GATE", folder.resolve(name).toString());
    }

    @Test
    void runsAcceptedExecutionToCompletion() {
        ServerResponse created =
                server.createExecution("first", "greets", "node/greeted", Map.of("WHO", "you; rm -rf /"));
        assertThat(created.raw().headers().firstValue("Location"))
                .contains("/api/v1/executions/first?namespace=default");
        assertThat(created.text("/status/phase")).isEqualTo("Pending");
        ServerResponse ended = server.awaitPhase("first", "Completed");
        assertThat(ended.text("/status/outcome")).isEqualTo("Success");
        ServerResponse logs = server.get("/api/v1/executions/first/logs");
        assertThat(logs.raw().body()).contains("hello you; rm -rf / on node/greeted");
        String next = logs.raw().headers().firstValue("X-Escapement-Next").orElseThrow();
        assertThat(server.get("/api/v1/executions/first/logs?from=" + next)
                        .raw()
                        .body())
                .isEmpty();
    }

    @Test
    void skipsWhileTargetIsHeldAndDuringCooldown() throws IOException {
        server.createExecution("holder", "waits", "ns/deployment/busy", gateParameter("busy"));
        server.awaitPhase("holder", "Running");
        server.createExecution("second", "ok", "ns/Deployment/busy", Map.of());
        ServerResponse skipped = server.awaitPhase("second", "Skipped");
        assertThat(skipped.text("/status/skipDetails/reason")).isEqualTo("ResourceBusy");
        assertThat(skipped.text("/status/skipDetails/message")).contains("holder");

        ServerResponse busy = server.get("/api/v1/targets/ns%2Fdeployment%2Fbusy");
        assertThat(busy.text("/status/state")).isEqualTo("Held");
        assertThat(server.get("/api/v1/targets/" + busy.text("/metadata/name")).body())
                .isEqualTo(busy.body());
        assertThat(names(server.get("/api/v1/targets?state=held"), "/spec/targetResource"))
                .contains("ns/deployment/busy");

        Files.createFile(folder.resolve("busy"));
        server.awaitPhase("holder", "Completed");
        ServerResponse explained = server.get("/api/v1/targets/ns%2Fdeployment%2Fbusy/explain?workflow=waits");
        assertThat(explained.body().path("admitted").asBoolean()).isFalse();
        assertThat(explained.text("/reason")).isEqualTo("RecentlyRemediated");
        assertThat(explained.body().path("checks")).hasSize(5);
        assertThat(explained.text("/checks/4/until")).isNotEmpty();
        ServerResponse other = server.get("/api/v1/targets/explain?target=ns/deployment/busy&workflow=ok");
        assertThat(other.body().path("admitted").asBoolean()).isTrue();
        assertThat(other.text("/message")).contains("would run");
    }

    @Test
    void blocksAfterFailedExecutionUntilCleared() {
        server.createExecution("broken", "fails", "node/broken", Map.of());
        ServerResponse failed = server.awaitPhase("broken", "Failed");
        assertThat(failed.body()
                        .at("/status/failureDetails/wasExecutionFailure")
                        .asBoolean())
                .isTrue();
        server.createExecution("after", "ok", "node/broken", Map.of());
        assertThat(server.awaitPhase("after", "Skipped").text("/status/skipDetails/reason"))
                .isEqualTo("PreviousExecutionFailed");
        assertThat(names(server.get("/api/v1/targets?state=failing"), "/spec/targetResource"))
                .contains("node/broken");

        ServerResponse noReason = server.post("/api/v1/targets/node%2Fbroken/clear", "{\"by\": \"ann\"}");
        assertThat(noReason.status()).isEqualTo(400);
        assertThat(noReason.message()).contains("reason");
        ServerResponse cleared =
                server.post("/api/v1/targets/node%2Fbroken/clear", "{\"by\": \"ann\", \"reason\": \"looked at it\"}");
        assertThat(cleared.status()).isEqualTo(200);
        assertThat(cleared.text("/status/clearance/clearedBy")).isEqualTo("ann (unverified)");
        assertThat(server.get("/api/v1/executions/broken").text("/status/blockClearance/clearReason"))
                .isEqualTo("looked at it");
        server.createExecution("again", "ok", "node/broken", Map.of());
        server.awaitPhase("again", "Completed");
    }

    @Test
    void backsOffAfterFailedStartUntilCleared() {
        server.createExecution("nowhere", "cannot-start", "node/nowhere", Map.of());
        ServerResponse failed = server.awaitPhase("nowhere", "Failed");
        assertThat(failed.body()
                        .at("/status/failureDetails/wasExecutionFailure")
                        .asBoolean())
                .isFalse();
        assertThat(failed.text("/status/nextAllowedExecution")).isNotEmpty();
        server.createExecution("too-soon", "ok", "node/nowhere", Map.of());
        assertThat(server.awaitPhase("too-soon", "Skipped").text("/status/skipDetails/reason"))
                .isEqualTo("RecentlyRemediated");
        // The metrics of the ledger are cached for some seconds.
        ConditionPoller.await(
                "the metrics tell of it",
                () -> server.get("/metrics")
                        .raw()
                        .body()
                        .contains("workflowexecution_consecutive_failures{target_resource=\"node/nowhere\"} 1.0"));
        ServerResponse cleared =
                server.post("/api/v1/targets/clear", "{\"target\": \"node/nowhere\", \"reason\": \"installed it\"}");
        assertThat(cleared.text("/status/clearance/clearedBy")).isEqualTo("anonymous");
    }

    @Test
    void cancelStopsRunAndReleasesTarget() {
        server.createExecution("long", "waits", "node/long", gateParameter("never"));
        server.awaitPhase("long", "Running");
        ServerResponse cancelled = server.post("/api/v1/executions/long/cancel", "{\"by\": \"bob\"}");
        assertThat(cancelled.status()).isEqualTo(200);
        ServerResponse ended = server.awaitPhase("long", "Failed");
        assertThat(ended.text("/status/failureDetails/reason")).isEqualTo("Cancelled");
        ConditionPoller.await(
                "the target is free",
                () -> !server.get("/api/v1/targets/node%2Flong")
                        .text("/status/state")
                        .equals("Held"));
    }

    @Test
    void deleteStopsRunReleasesTargetAndReturnsExecution() {
        server.createExecution("gone", "waits", "node/gone", gateParameter("never"));
        server.awaitPhase("gone", "Running");
        ServerResponse deleted = server.delete("/api/v1/executions/gone");
        assertThat(deleted.status()).isEqualTo(200);
        assertThat(deleted.text("/metadata/name")).isEqualTo("gone");
        assertThat(server.get("/api/v1/executions/gone").status()).isEqualTo(404);
        ConditionPoller.await(
                "the target is free",
                () -> !server.get("/api/v1/targets/node%2Fgone")
                        .text("/status/state")
                        .equals("Held"));
    }

    @Test
    void acceptsYaml() {
        String yaml = """
                apiVersion: kubernaut.ai/v1alpha1
                kind: WorkflowExecution
                metadata:
                  generateName: from-yaml-
                  namespace: team
                spec:
                  workflowRef: {workflowId: ok}
                  targetResource: node/yaml
                """;
        ServerResponse created = server.post("/api/v1/executions", yaml, "application/yaml");
        assertThat(created.status()).isEqualTo(201);
        assertThat(created.text("/metadata/name")).startsWith("from-yaml-");
        assertThat(created.text("/metadata/generateName")).isEqualTo("from-yaml-");
        String path = created.raw().headers().firstValue("Location").orElseThrow();
        ConditionPoller.await(
                "it is completed", () -> server.get(path).text("/status/phase").equals("Completed"));
    }

    @Test
    void malformedTargetIsRefused() {
        ServerResponse refused = server.post(
                "/api/v1/executions", TestServer.executionJson("malformed", "ok", "no target at all <b>", Map.of()));
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.text("/error/message"))
                .contains("spec.targetResource is \"no target at all <b>\"", "write namespace/kind/name");
    }

    @Test
    void unknownWorkflowAndInvalidParameterFailBeforeExecution() {
        server.createExecution("unknown", "no-such-workflow", "node/unknown", Map.of());
        ServerResponse unknown = server.awaitPhase("unknown", "Failed");
        assertThat(unknown.text("/status/failureDetails/message")).contains("no-such-workflow");
        assertThat(unknown.body()
                        .at("/status/failureDetails/wasExecutionFailure")
                        .asBoolean())
                .isFalse();
        server.createExecution("wrong", "ok", "node/wrong", Map.of("COUNT", "many"));
        ServerResponse wrong = server.awaitPhase("wrong", "Failed");
        assertThat(wrong.text("/status/failureDetails/message"))
                .contains("COUNT")
                .contains("many");
        assertThat(wrong.body().at("/status/failureDetails/wasExecutionFailure").asBoolean())
                .isFalse();
    }

    @Test
    void listsPagesNewestFirstWithFilters() {
        for (int i = 0; i < 5; i++) {
            server.createExecution("part-" + i, "ok", "node/part-" + i, Map.of());
            server.awaitPhase("part-" + i, "Completed");
        }
        Set<String> seen = new HashSet<>();
        String next = "";
        int parts = 0;
        do {
            ServerResponse part = server.get("/api/v1/executions?phase=Completed&workflow=ok&limit=2&continue=" + next);
            assertThat(part.body().path("items").size()).isLessThanOrEqualTo(2);
            names(part, "/metadata/name")
                    .forEach(name -> assertThat(seen.add(name)).isTrue());
            next = part.body().at("/metadata/continue").asText();
            parts++;
        } while (!next.isEmpty() && parts < 100);
        assertThat(seen).contains("part-0", "part-1", "part-2", "part-3", "part-4");
        assertThat(server.get("/api/v1/executions?target=Node/part-3").text("/items/0/metadata/name"))
                .isEqualTo("part-3");
    }

    @Test
    void showsCataloguePolicyAndHealth() {
        ServerResponse workflows = server.get("/api/v1/workflows");
        assertThat(names(workflows, "/id")).contains("ok", "greets");
        assertThat(server.get("/api/v1/workflows/greets").text("/parameters/0/name"))
                .isEqualTo("WHO");
        assertThat(server.get("/api/v1/policy").text("/cooldown-period")).isEqualTo("5m");
        assertThat(server.get("/api/v1/policy").text("/origin")).isEqualTo("default");
        assertThat(server.get("/health/live").status()).isEqualTo(200);
        assertThat(server.get("/health/ready")
                        .body()
                        .path("checks")
                        .path("lease")
                        .asText())
                .isEqualTo("ok");
    }

    @Test
    void followedLogEndsWithRun() throws IOException {
        server.createExecution("followed", "waits", "node/followed", gateParameter("followed"));
        server.awaitPhase("followed", "Running");
        Thread opener = new Thread(() -> {
            ConditionPoller.await(
                    "somebody follows",
                    () -> server.get("/metrics").raw().body().contains("escapement_event_clients 1.0"));
            try {
                Files.createFile(folder.resolve("followed"));
            } catch (IOException failure) {
                throw new AssertionError(failure);
            }
        });
        opener.start();
        ServerResponse followed = server.get("/api/v1/executions/followed/logs?follow=true");
        assertThat(followed.raw().body()).contains("waiting");
        server.awaitPhase("followed", "Completed");
    }

    private static Set<String> names(ServerResponse list, String pointer) {
        Set<String> names = new HashSet<>();
        for (JsonNode item : list.body().path("items")) {
            names.add(item.at(pointer).asText());
        }
        return names;
    }
}
