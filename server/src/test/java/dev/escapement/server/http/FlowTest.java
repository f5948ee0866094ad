package dev.escapement.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.server.TestServer;
import dev.escapement.server.TestServer.Answer;
import dev.escapement.server.Waiting;
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

/** The main job over real HTTP, with the real store and real processes. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FlowTest {

    private final TestServer server;
    private final Path folder;

    FlowTest(@TempDir Path folder) {
        this.folder = folder;
        this.server = TestServer.start(folder);
    }

    @AfterAll
    void stop() {
        server.close();
    }

    private Map<String, String> gate(String name) {
        return Map.of("GATE", folder.resolve(name).toString());
    }

    @Test
    void anExecutionIsAcceptedRunAndCompleted() {
        Answer created = server.create("first", "greets", "node/greeted", Map.of("WHO", "you; rm -rf /"));
        assertThat(created.raw().headers().firstValue("Location"))
                .contains("/api/v1/executions/first?namespace=default");
        assertThat(created.text("/status/phase")).isEqualTo("Pending");
        Answer ended = server.await("first", "Completed");
        assertThat(ended.text("/status/outcome")).isEqualTo("Success");
        Answer logs = server.get("/api/v1/executions/first/logs");
        assertThat(logs.raw().body()).contains("hello you; rm -rf / on node/greeted");
        String next = logs.raw().headers().firstValue("X-Escapement-Next").orElseThrow();
        assertThat(server.get("/api/v1/executions/first/logs?from=" + next)
                        .raw()
                        .body())
                .isEmpty();
    }

    @Test
    void whileOneRunsOthersAreSkippedWithItsNameAndAfterwardsItCoolsDown() throws IOException {
        server.create("holder", "waits", "ns/deployment/busy", gate("busy"));
        server.await("holder", "Running");
        server.create("second", "ok", "ns/Deployment/busy", Map.of());
        Answer skipped = server.await("second", "Skipped");
        assertThat(skipped.text("/status/skipDetails/reason")).isEqualTo("ResourceBusy");
        assertThat(skipped.text("/status/skipDetails/message")).contains("holder");

        Answer busy = server.get("/api/v1/targets/ns%2Fdeployment%2Fbusy");
        assertThat(busy.text("/status/state")).isEqualTo("Held");
        assertThat(server.get("/api/v1/targets/" + busy.text("/metadata/name")).body())
                .isEqualTo(busy.body());
        assertThat(names(server.get("/api/v1/targets?state=held"), "/spec/targetResource"))
                .contains("ns/deployment/busy");

        Files.createFile(folder.resolve("busy"));
        server.await("holder", "Completed");
        Answer explained = server.get("/api/v1/targets/ns%2Fdeployment%2Fbusy/explain?workflow=waits");
        assertThat(explained.body().path("admitted").asBoolean()).isFalse();
        assertThat(explained.text("/reason")).isEqualTo("RecentlyRemediated");
        assertThat(explained.body().path("checks")).hasSize(5);
        assertThat(explained.text("/checks/4/until")).isNotEmpty();
        Answer other = server.get("/api/v1/targets/explain?target=ns/deployment/busy&workflow=ok");
        assertThat(other.body().path("admitted").asBoolean()).isTrue();
        assertThat(other.text("/message")).contains("would run");
    }

    @Test
    void whatFailedHalfwayIsBlockedUntilAPersonClearsItInTheirName() {
        server.create("broken", "fails", "node/broken", Map.of());
        Answer failed = server.await("broken", "Failed");
        assertThat(failed.body()
                        .at("/status/failureDetails/wasExecutionFailure")
                        .asBoolean())
                .isTrue();
        server.create("after", "ok", "node/broken", Map.of());
        assertThat(server.await("after", "Skipped").text("/status/skipDetails/reason"))
                .isEqualTo("PreviousExecutionFailed");
        assertThat(names(server.get("/api/v1/targets?state=failing"), "/spec/targetResource"))
                .contains("node/broken");

        Answer noReason = server.post("/api/v1/targets/node%2Fbroken/clear", "{\"by\": \"ann\"}");
        assertThat(noReason.status()).isEqualTo(400);
        assertThat(noReason.message()).contains("reason");
        Answer cleared =
                server.post("/api/v1/targets/node%2Fbroken/clear", "{\"by\": \"ann\", \"reason\": \"looked at it\"}");
        assertThat(cleared.status()).isEqualTo(200);
        assertThat(cleared.text("/status/clearance/clearedBy")).isEqualTo("ann");
        assertThat(server.get("/api/v1/executions/broken").text("/status/blockClearance/clearReason"))
                .isEqualTo("looked at it");
        server.create("again", "ok", "node/broken", Map.of());
        server.await("again", "Completed");
    }

    @Test
    void whatCannotStartBacksOffAndCanBeClearedByTheOtherPath() {
        server.create("nowhere", "cannot-start", "node/nowhere", Map.of());
        Answer failed = server.await("nowhere", "Failed");
        assertThat(failed.body()
                        .at("/status/failureDetails/wasExecutionFailure")
                        .asBoolean())
                .isFalse();
        assertThat(failed.text("/status/nextAllowedExecution")).isNotEmpty();
        server.create("too-soon", "ok", "node/nowhere", Map.of());
        assertThat(server.await("too-soon", "Skipped").text("/status/skipDetails/reason"))
                .isEqualTo("RecentlyRemediated");
        // What is read of the ledger is kept for some seconds.
        Waiting.until(
                "the metrics tell of it",
                () -> server.get("/metrics")
                        .raw()
                        .body()
                        .contains("workflowexecution_consecutive_failures{target_resource=\"node/nowhere\"} 1.0"));
        Answer cleared =
                server.post("/api/v1/targets/clear", "{\"target\": \"node/nowhere\", \"reason\": \"installed it\"}");
        assertThat(cleared.text("/status/clearance/clearedBy")).isEqualTo("anonymous");
    }

    @Test
    void cancellingStopsTheRunAndFreesTheTarget() {
        server.create("long", "waits", "node/long", gate("never"));
        server.await("long", "Running");
        Answer cancelled = server.post("/api/v1/executions/long/cancel", "{\"by\": \"bob\"}");
        assertThat(cancelled.status()).isEqualTo(200);
        Answer ended = server.await("long", "Failed");
        assertThat(ended.text("/status/failureDetails/reason")).isEqualTo("Cancelled");
        Waiting.until(
                "the target is free",
                () -> !server.get("/api/v1/targets/node%2Flong")
                        .text("/status/state")
                        .equals("Held"));
    }

    @Test
    void deletingStopsTheRunFreesTheTargetAndSaysWhatWasDeleted() {
        server.create("gone", "waits", "node/gone", gate("never"));
        server.await("gone", "Running");
        Answer deleted = server.delete("/api/v1/executions/gone");
        assertThat(deleted.status()).isEqualTo(200);
        assertThat(deleted.text("/metadata/name")).isEqualTo("gone");
        assertThat(server.get("/api/v1/executions/gone").status()).isEqualTo(404);
        Waiting.until(
                "the target is free",
                () -> !server.get("/api/v1/targets/node%2Fgone")
                        .text("/status/state")
                        .equals("Held"));
    }

    @Test
    void yamlIsTakenToo() {
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
        Answer created = server.post("/api/v1/executions", yaml, "application/yaml");
        assertThat(created.status()).isEqualTo(201);
        assertThat(created.text("/metadata/name")).startsWith("from-yaml-");
        String path = created.raw().headers().firstValue("Location").orElseThrow();
        Waiting.until(
                "it is completed", () -> server.get(path).text("/status/phase").equals("Completed"));
    }

    @Test
    void aMalformedTargetIsAcceptedAndFailsWithAValidationError() {
        server.create("malformed", "ok", "no target at all <b>", Map.of());
        Answer failed = server.await("malformed", "Failed");
        assertThat(failed.text("/status/failureDetails/reason")).isEqualTo("ValidationError");
        assertThat(server.get("/api/v1/executions?target=no%20target%20at%20all%20%3Cb%3E")
                        .body()
                        .path("items"))
                .hasSize(1);
    }

    @Test
    void anUnknownWorkflowAndAWrongParameterFailBeforeExecution() {
        server.create("unknown", "no-such-workflow", "node/unknown", Map.of());
        Answer unknown = server.await("unknown", "Failed");
        assertThat(unknown.text("/status/failureDetails/message")).contains("no-such-workflow");
        assertThat(unknown.body()
                        .at("/status/failureDetails/wasExecutionFailure")
                        .asBoolean())
                .isFalse();
        server.create("wrong", "ok", "node/wrong", Map.of("COUNT", "many"));
        Answer wrong = server.await("wrong", "Failed");
        assertThat(wrong.text("/status/failureDetails/message"))
                .contains("COUNT")
                .contains("many");
        assertThat(wrong.body().at("/status/failureDetails/wasExecutionFailure").asBoolean())
                .isFalse();
    }

    @Test
    void listsComeInPartsNewestFirstAndFiltersNarrowThem() {
        for (int i = 0; i < 5; i++) {
            server.create("part-" + i, "ok", "node/part-" + i, Map.of());
            server.await("part-" + i, "Completed");
        }
        Set<String> seen = new HashSet<>();
        String next = "";
        int parts = 0;
        do {
            Answer part = server.get("/api/v1/executions?phase=Completed&workflow=ok&limit=2&continue=" + next);
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
    void theCatalogueThePolicyAndHealthAreShown() {
        Answer workflows = server.get("/api/v1/workflows");
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
    void aFollowedLogEndsWithItsRun() throws IOException {
        server.create("followed", "waits", "node/followed", gate("followed"));
        server.await("followed", "Running");
        Thread opener = new Thread(() -> {
            Waiting.until(
                    "somebody follows",
                    () -> server.get("/metrics").raw().body().contains("escapement_event_clients 1.0"));
            try {
                Files.createFile(folder.resolve("followed"));
            } catch (IOException failure) {
                throw new AssertionError(failure);
            }
        });
        opener.start();
        Answer followed = server.get("/api/v1/executions/followed/logs?follow=true");
        assertThat(followed.raw().body()).contains("waiting");
        server.await("followed", "Completed");
    }

    private static Set<String> names(Answer list, String pointer) {
        Set<String> names = new HashSet<>();
        for (JsonNode item : list.body().path("items")) {
            names.add(item.at(pointer).asText());
        }
        return names;
    }
}
