package dev.escapement.server.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.escapement.common.Json;
import dev.escapement.server.standalone.TestServer.ServerResponse;
import dev.escapement.testkit.ConditionPoller;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Executions that wait for a target on one server. */
class WaitingServerTest {

    private static final String TARGET = "node/busy";

    private final Path folder;
    private TestServer server;

    WaitingServerTest(@TempDir Path folder) {
        this.folder = folder;
        this.server = TestServer.start(folder, Map.of());
    }

    @BeforeEach
    void holdTarget() {
        server.createExecution(
                "holder", "waits", TARGET, Map.of("GATE", folder.resolve("gate").toString()));
        server.awaitPhase("holder", "Running");
    }

    @AfterEach
    void stop() throws IOException {
        if (Files.notExists(folder.resolve("gate"))) {
            releaseTarget();
        }
        server.close();
    }

    private void releaseTarget() throws IOException {
        Files.createFile(folder.resolve("gate"));
    }

    static ServerResponse createWaiting(TestServer server, String name, String workflow, String waitFor) {
        ObjectNode document = Json.read(TestServer.executionJson(name, workflow, TARGET, Map.of()), ObjectNode.class);
        document.withObject("/spec").put("onConflict", "Wait").put("waitFor", waitFor);
        ServerResponse answer = server.post("/api/v1/executions", Json.write(document));
        assertThat(answer.status()).describedAs(answer.raw().body()).isEqualTo(201);
        return answer;
    }

    private ServerResponse awaitWaiting(String name) {
        return ConditionPoller.await(
                name + " waits",
                () -> server.get("/api/v1/executions/" + name),
                answer -> answer.text("/status/pendingDetails/reason").equals("Waiting"));
    }

    private Instant startOf(String name) {
        return Instant.parse(server.awaitPhase(name, "Completed").text("/status/startTime"));
    }

    @Test
    void runsInOrderOfAgeAfterRelease() throws IOException {
        createWaiting(server, "b-older", "ok", "10m");
        awaitWaiting("b-older");
        createWaiting(server, "a-younger", "greets", "10m");
        ServerResponse waiting = awaitWaiting("a-younger");
        assertThat(waiting.text("/status/pendingDetails/message")).contains("holder");
        assertThat(waiting.text("/status/pendingDetails/until")).isNotEmpty();
        assertThat(waiting.text("/status/conditions/2/type")).isEqualTo("Pending");
        ServerResponse explained = server.get("/api/v1/targets/explain?target=" + TARGET + "&workflow=ok&waitFor=5m");
        assertThat(explained.text("/waitsBehind")).isEqualTo("2");
        assertThat(explained.text("/waitsUntil")).isNotEmpty();

        releaseTarget();
        assertThat(startOf("b-older")).isBefore(startOf("a-younger"));
    }

    @Test
    void isSkippedAtItsDeadline() {
        createWaiting(server, "short", "ok", "1s");
        ServerResponse skipped = server.awaitPhase("short", "Skipped");
        assertThat(skipped.text("/status/skipDetails/reason")).isEqualTo("ResourceBusy");
        Instant created = Instant.parse(skipped.text("/metadata/creationTimestamp"));
        assertThat(Instant.parse(skipped.text("/status/skipDetails/skippedAt")))
                .isAfterOrEqualTo(created.plusSeconds(1));
    }

    @Test
    void endOfOneThatWaitsWakesTheNext() throws IOException {
        createWaiting(server, "cancelled", "ok", "10m");
        awaitWaiting("cancelled");
        createWaiting(server, "deleted", "ok", "10m");
        awaitWaiting("deleted");
        createWaiting(server, "last", "ok", "10m");
        awaitWaiting("last");
        assertThat(server.post("/api/v1/executions/cancelled/cancel", "{\"by\":\"ann\"}")
                        .status())
                .isEqualTo(200);
        assertThat(server.awaitPhase("cancelled", "Failed").text("/status/failureDetails/reason"))
                .isEqualTo("Cancelled");
        assertThat(server.delete("/api/v1/executions/deleted").status()).isEqualTo(200);
        releaseTarget();
        server.awaitPhase("last", "Completed");
    }

    @Test
    void waitsOnAfterRestart() throws IOException {
        createWaiting(server, "patient", "ok", "10m");
        String message = awaitWaiting("patient").text("/status/pendingDetails/message");
        server.close();
        server = TestServer.start(folder, Map.of());
        assertThat(awaitWaiting("patient").text("/status/pendingDetails/message"))
                .isEqualTo(message);
        releaseTarget();
        server.awaitPhase("patient", "Completed");
    }

    @Test
    void areSkippedWhenTargetIsBlocked() {
        createWaiting(server, "first", "ok", "10m");
        awaitWaiting("first");
        createWaiting(server, "second", "ok", "10m");
        awaitWaiting("second");
        server.post("/api/v1/executions/holder/cancel", "{\"by\":\"ann\"}");
        for (String name : new String[] {"first", "second"}) {
            assertThat(server.awaitPhase(name, "Skipped").text("/status/skipDetails/reason"))
                    .isEqualTo("PreviousExecutionFailed");
        }
    }

    @Test
    void refusesEveryInvalidSetting() {
        ObjectNode document = Json.read(TestServer.executionJson("no", "ok", TARGET, Map.of()), ObjectNode.class);
        document.withObject("/spec").put("waitFor", "5m");
        assertThat(server.post("/api/v1/executions", Json.write(document)).message())
                .contains("onConflict");
        document.withObject("/spec").put("onConflict", "Wait").put("waitFor", "25h");
        assertThat(server.post("/api/v1/executions", Json.write(document)).message())
                .contains("at most 24h");
        document.withObject("/spec").put("onConflict", "Sometimes");
        assertThat(server.post("/api/v1/executions", Json.write(document)).status())
                .isEqualTo(400);
    }
}
