package dev.escapement.cli.command;

import static dev.escapement.cli.SimulatedServer.error;
import static dev.escapement.cli.SimulatedServer.json;
import static dev.escapement.cli.SimulatedServer.stream;
import static dev.escapement.cli.SimulatedServer.text;
import static dev.escapement.cli.SimulatedServer.truncated;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.cli.CommandLineHarness;
import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.SimulatedServer;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Explain, clear, cancel, delete, describe, logs and events. */
class ClientCommandsTest {

    private static final String FAILED_EXECUTION = """
            {"metadata":{"name":"one","namespace":"payment","uid":"u-1","creationTimestamp":"2026-11-15T11:57:00Z"},
             "spec":{"workflowRef":{"workflowId":"w","version":"1.2"},"targetResource":"node/n","parameters":{"A":"1"},"rationale":"because"},
             "status":{"phase":"Failed","startTime":"2026-11-15T11:57:01Z","completionTime":"2026-11-15T11:58:31Z",
             "failureDetails":{"reason":"TaskFailed","message":"task drain failed","failedTaskName":"drain","exitCode":3,"wasExecutionFailure":true,"naturalLanguageSummary":"It drained halfway."}}}""";

    private final SimulatedServer server = new SimulatedServer();
    private final CommandLineHarness cli;

    ClientCommandsTest(@TempDir Path home) throws IOException {
        cli = new CommandLineHarness(home);
        cli.environment.put("ESCAPEMENT_SERVER", server.url());
        cli.environment.put("USER", "ada");
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void explainPrintsEveryCheckAndReturnsDecisionAsExitCode() {
        server.respondTo("GET /api/v1/targets/explain", json(200, """
                        {"admitted":false,"reason":"RecentlyRemediated","message":"w completed","allowedAt":"2026-11-15T12:02:00Z","change":"by itself, at 2026-11-15T12:02:00Z",
                         "checks":[{"question":"Held?","objection":false,"looksAt":"free"},{"question":"Cooldown?","objection":true,"looksAt":"one","until":"2026-11-15T12:02:00Z"},{"question":"Broke?","objection":true,"looksAt":"two"}]}"""), json(200, "{\"admitted\":true,\"checks\":[]}"));
        assertThat(cli.run("explain", "w", "Node/n")).isEqualTo(ExitCodes.NO);
        assertThat(server.requests()).containsExactly("GET /api/v1/targets/explain?target=node%2Fn&workflow=w");
        assertThat(cli.out())
                .contains("no: w on node/n would be Skipped (RecentlyRemediated)")
                .contains("Held?      no          -                             free")
                .contains("Cooldown?  yes         2026-11-15T12:02:00Z (in 2m)  one")
                .contains("Broke?     yes         not by itself                 two")
                .contains("It will change by itself, at 2026-11-15T12:02:00Z.");
        assertThat(cli.run("explain", "w", "node/n")).isEqualTo(ExitCodes.OK);
        assertThat(cli.out()).contains("yes: w on node/n would run now");
        assertThat(cli.run("explain", "w", "a/b/c/d")).isEqualTo(ExitCodes.USAGE);
    }

    @Test
    void clearSendsActorAndReasonAndReportsWhetherAnythingWasCleared() {
        server.respondTo(
                "POST /api/v1/targets/clear",
                json(200, "{\"status\":{\"clearance\":{\"clearReason\":\"looked at it\"}}}"));
        assertThat(cli.run("clear", "node/n", "--reason", "looked at it")).isEqualTo(ExitCodes.OK);
        assertThat(server.received().get(0).body())
                .isEqualTo("{\"target\":\"node/n\",\"by\":\"ada\",\"reason\":\"looked at it\"}");
        assertThat(cli.out()).isEqualToIgnoringNewLines("node/n is cleared by ada: looked at it");
        assertThat(cli.run("clear", "node/n", "--reason", "another", "--by", "bob"))
                .isEqualTo(ExitCodes.NO);
        assertThat(cli.out()).contains("nothing to clear: node/n");
        assertThat(cli.run("clear", "node/n")).isEqualTo(ExitCodes.USAGE);
        assertThat(cli.err()).contains("Missing required option: '--reason=TEXT'");
        assertThat(cli.run("clear", "node/n", "--reason", " ")).isEqualTo(ExitCodes.USAGE);
    }

    @Test
    void cancelReportsExecutionThatAlreadyFinished() {
        server.respondTo(
                "POST /api/v1/executions/one/cancel",
                json(200, FAILED_EXECUTION.replace("Failed", "Running")),
                json(200, FAILED_EXECUTION),
                json(200, FAILED_EXECUTION.replace("TaskFailed", "Cancelled")));
        assertThat(cli.run("cancel", "one", "-n", "payment")).isEqualTo(ExitCodes.OK);
        assertThat(server.received().get(0).request())
                .isEqualTo("POST /api/v1/executions/one/cancel?namespace=payment");
        assertThat(server.received().get(0).body()).isEqualTo("{\"by\":\"ada\"}");
        assertThat(cli.out()).isEqualToIgnoringNewLines("execution payment/one is asked to stop");
        assertThat(cli.run("cancel", "one")).isEqualTo(ExitCodes.NO);
        assertThat(cli.out()).isEqualToIgnoringNewLines("too late: execution payment/one is Failed already");
        assertThat(cli.run("cancel", "one")).isEqualTo(ExitCodes.OK);
    }

    @Test
    void deleteStopsAtFirstUnknownExecution() {
        server.respondTo("DELETE /api/v1/executions/one", FAILED_EXECUTION)
                .respondTo("DELETE /api/v1/executions/two", error(404, "no two"));
        assertThat(cli.run("delete", "-n", "payment", "one", "two")).isEqualTo(ExitCodes.NOT_FOUND);
        assertThat(cli.out()).isEqualToIgnoringNewLines("execution payment/one deleted; it was Failed");
        assertThat(cli.err()).contains("no two");
        assertThat(server.received().get(0).body()).isEqualTo("{\"by\":\"ada\"}");
    }

    @Test
    void describesExecutionWithReasonAndSuggestedCommands() {
        server.respondTo("GET /api/v1/executions/one", FAILED_EXECUTION);
        assertThat(cli.run("describe", "execution", "one", "-n", "payment")).isEqualTo(ExitCodes.OK);
        assertThat(cli.out())
                .contains("Execution:     payment/one")
                .contains("Workflow:      w 1.2")
                .contains("Phase:         Failed (TaskFailed)")
                .contains("Took:          1m30s")
                .contains("A = 1")
                .contains("It drained halfway.")
                .contains("escapement logs one -n payment")
                .contains("escapement clear node/n --reason '…'");
    }

    @Test
    void describesKnownAndUnknownTargets() {
        server.respondTo("GET /api/v1/executions", "{\"items\":[" + FAILED_EXECUTION + "]}");
        assertThat(cli.run("describe", "target", "NODE/n")).isEqualTo(ExitCodes.OK);
        assertThat(cli.out())
                .contains("Target:        node/n", "State:         Free", "payment/one of w: Failed (TaskFailed)");
        server.respondTo("GET /api/v1/targets/node%2Fn", """
                {"metadata":{"name":"wfe-1"},"spec":{"targetResource":"node/n"},"status":{"state":"Blocked","epoch":3,
                 "workflows":[{"workflowId":"w","block":{"name":"one","namespace":"payment","reason":"TaskFailed","completedAt":"2026-11-15T11:58:31Z"}}],
                 "clearance":{"clearedBy":"bob","clearReason":"looked","clearedAt":"2026-11-15T11:00:00Z"}}}""");
        cli.run("describe", "target", "node/n");
        assertThat(cli.out())
                .contains("State:         Blocked")
                .contains("w broke: payment/one (TaskFailed), 2026-11-15T11:58:31Z (1m29s ago)")
                .contains("by bob, 2026-11-15T11:00:00Z (1h ago): looked")
                .contains("escapement logs one -n payment", "escapement clear node/n");
    }

    @Test
    void describesWorkflowWithExampleCommand() {
        server.respondTo(
                "GET /api/v1/workflows/w",
                "{\"id\":\"w\",\"version\":\"1\",\"tasks\":[{\"name\":\"t\",\"command\":[\"rm\",\"-rf\",\"$X; y\"]}],\"parameters\":[{\"name\":\"A\",\"type\":\"integer\",\"required\":true,\"description\":\"how many\"}]}");
        assertThat(cli.run("describe", "workflow", "w")).isEqualTo(ExitCodes.OK);
        assertThat(cli.out())
                .contains("A (integer, required): how many")
                .contains("t: rm -rf '$X; y'")
                .contains("escapement run w TARGET -p A=… --wait");
    }

    @Test
    void logsAreReadInPartsWithoutControlSequences() {
        server.respondTo(
                "GET /api/v1/executions/one/logs",
                exchange -> {
                    exchange.getResponseHeaders().set("X-Escapement-Next", "12");
                    text(200, "text/plain", "a\u001b[31mred\u001b[0m\tb\r\n").sendTo(exchange);
                },
                exchange -> {
                    exchange.getResponseHeaders().set("X-Escapement-Next", "12");
                    text(200, "text/plain", "").sendTo(exchange);
                });
        assertThat(cli.run("logs", "one")).isEqualTo(ExitCodes.OK);
        assertThat(cli.out()).isEqualTo("ared\tb\n");
        assertThat(server.requests())
                .containsExactly(
                        "GET /api/v1/executions/one/logs?namespace=default&from=0&follow=false",
                        "GET /api/v1/executions/one/logs?namespace=default&from=12&follow=false");
        server.respondTo("GET /api/v1/executions/one/logs", text(200, "text/plain", "\u001b[31mé"));
        cli.run("logs", "one", "--raw");
        assertThat(cli.out()).isEqualTo("\u001b[31mé");
    }

    @Test
    void followedLogsResumeAtOffsetAfterConnectionLoss() {
        server.respondTo("GET /api/v1/executions/one/logs", truncated("häl"), stream("lo\n"));
        assertThat(cli.run("logs", "-f", "one")).isEqualTo(ExitCodes.OK);
        assertThat(cli.out()).isEqualTo("hällo\n");
        assertThat(server.requests()).last().asString().contains("from=4&follow=true");
        server.respondTo("GET /api/v1/executions/one/logs", truncated("half"));
        assertThat(cli.run("logs", "one")).isEqualTo(ExitCodes.UNREACHABLE);
    }

    @Test
    void eventsPrintsLastEventsAndThenFollows() {
        server.respondTo(
                "GET /api/v1/events",
                stream(sseEvent(1, "WorkflowAccepted", "one")
                        + sseEvent(2, "WorkflowSkipped", "one")
                        + sseEvent(3, "WorkflowAccepted", "two")),
                stream(sseEvent(4, "WorkflowCompleted", "two") + "event: Progress\ndata: {}\n\n"),
                error(401, "enough"));
        assertThat(cli.run("events", "-f", "--limit", "2")).isEqualTo(ExitCodes.UNAUTHORIZED);
        assertThat(cli.out().lines())
                .containsExactly(
                        "2026-11-15T11:00:02Z  WorkflowSkipped        one on node/n: R: m",
                        "2026-11-15T11:00:03Z  WorkflowAccepted       two on node/n: R: m",
                        "2026-11-15T11:00:04Z  WorkflowCompleted      two on node/n: R: m");
        assertThat(server.requests())
                .containsExactly(
                        "GET /api/v1/events?follow=false&after=",
                        "GET /api/v1/events?after=3",
                        "GET /api/v1/events?after=4");
        server.respondTo(
                "GET /api/v1/events",
                stream(sseEvent(1, "WorkflowAccepted", "one") + sseEvent(3, "WorkflowAccepted", "two")));
        cli.run("events", "--all", "--execution", "two", "--json");
        assertThat(cli.out().lines()).singleElement().asString().startsWith("{\"at\":\"2026-11-15T11:00:03Z\"");
    }

    private static String sseEvent(int id, String type, String execution) {
        return """
                id: %d
                event: %s
                data: {"at":"2026-11-15T11:00:%02dZ","execution":{"name":"%s","namespace":"default"},"target":"node/n","reason":"R","message":"m"}

                """.formatted(id, type, id, execution);
    }

    @Test
    void failsOnMalformedOrTooLongEvent() {
        server.respondTo("GET /api/v1/events", stream("data: {no json\n\n"));
        assertThat(cli.run("events")).isEqualTo(ExitCodes.UNREACHABLE);
        server.respondTo("GET /api/v1/events", stream("data: " + "x".repeat(2 << 20)));
        assertThat(cli.run("events")).isEqualTo(ExitCodes.UNREACHABLE);
    }
}
