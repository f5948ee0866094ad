package dev.escapement.cli.command.execution;

import static dev.escapement.cli.SimulatedServer.error;
import static dev.escapement.cli.SimulatedServer.json;
import static dev.escapement.cli.SimulatedServer.stream;
import static dev.escapement.cli.SimulatedServer.truncated;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.escapement.cli.ClientCommandTestBase;
import dev.escapement.cli.CommandLineHarness;
import dev.escapement.cli.ExitCodes;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunCommandTest extends ClientCommandTestBase {

    private static final String POST = "POST /api/v1/executions";
    private static final String GET = "GET /api/v1/executions/e1";
    private static final String EVENTS = "GET /api/v1/events";
    private static final String PENDING = executionJson("{}");
    private static final String RUNNING = executionJson(
            "{\"phase\":\"Running\",\"startTime\":\"2026-11-15T11:59:50Z\",\"pipelineRunStatus\":{\"completedTasks\":1,\"totalTasks\":3,\"message\":\"drain\"}}");
    private static final String COMPLETED = executionJson(
            "{\"phase\":\"Completed\",\"startTime\":\"2026-11-15T11:59:50Z\",\"completionTime\":\"2026-11-15T11:59:53Z\"}");
    private static final String COMPLETED_EVENT = sseEvent("7", "WorkflowCompleted", "u-1");

    RunCommandTest(@TempDir Path home) throws IOException {
        super(home);
        server.respondTo(POST, json(201, PENDING));
    }

    private static String executionJson(String status) {
        return """
                {"metadata":{"name":"e1","namespace":"default","uid":"u-1"},
                 "spec":{"workflowRef":{"workflowId":"w"},"targetResource":"node/n"},"status":%s}""".formatted(status);
    }

    private static String sseEvent(String id, String type, String uid) {
        return "id: %s\nevent: %s\ndata: {\"execution\":{\"name\":\"e1\",\"namespace\":\"default\",\"uid\":\"%s\"}}\n\n"
                .formatted(id, type, uid);
    }

    private int runAndWait(String... more) {
        String[] args = {"run", "w", "node/n", "--wait"};
        return cli.run(java.util.stream.Stream.concat(java.util.Arrays.stream(args), java.util.Arrays.stream(more))
                .toArray(String[]::new));
    }

    @Test
    void sendsCompleteDocumentWithGeneratedName() throws IOException {
        assertThat(cli.run(
                        "run",
                        "Disk Cleanup",
                        "node/n",
                        "-p",
                        "A=1=2",
                        "-p",
                        "B=",
                        "--timeout",
                        "90s",
                        "--rationale",
                        "why"))
                .isEqualTo(ExitCodes.OK);
        JsonNode sent = new JsonMapper().readTree(server.received().get(0).body());
        assertThat(sent.at("/metadata/name").asText()).matches("disk-cleanup-[a-z2-9]{7}");
        assertThat(sent.at("/metadata/namespace").asText()).isEqualTo("default");
        assertThat(sent.at("/spec/workflowRef/workflowId").asText()).isEqualTo("Disk Cleanup");
        assertThat(sent.at("/spec/targetResource").asText()).isEqualTo("node/n");
        assertThat(sent.at("/spec/parameters").toString()).isEqualTo("{\"A\":\"1=2\",\"B\":\"\"}");
        assertThat(sent.at("/spec/executionConfig/timeout").asText()).isEqualTo("1m30s");
        assertThat(sent.at("/spec/rationale").asText()).isEqualTo("why");
        assertThat(cli.out()).isEqualToIgnoringNewLines("execution e1 created");
    }

    @Test
    void sendsImageAndEngineOptionsForCluster() throws IOException {
        assertThat(cli.run(
                        "run",
                        "w",
                        "node/n",
                        "--image",
                        "registry.example/w:1",
                        "--digest",
                        "sha256:0",
                        "--engine",
                        "job",
                        "--service-account",
                        "worker"))
                .isEqualTo(ExitCodes.OK);
        JsonNode sent = new JsonMapper().readTree(server.received().get(0).body());
        assertThat(sent.at("/spec/workflowRef").toString())
                .isEqualTo(
                        "{\"workflowId\":\"w\",\"containerImage\":\"registry.example/w:1\",\"containerDigest\":\"sha256:0\"}");
        assertThat(sent.at("/spec/executionConfig").toString())
                .isEqualTo("{\"engine\":\"job\",\"serviceAccountName\":\"worker\"}");
    }

    @Test
    void sendsConflictOptions() throws IOException {
        assertThat(cli.run("run", "w", "node/n", "--on-conflict", "wait", "--wait-for", "5m"))
                .isEqualTo(ExitCodes.OK);
        JsonNode sent = new JsonMapper().readTree(server.received().get(0).body());
        assertThat(sent.at("/spec/onConflict").asText()).isEqualTo("Wait");
        assertThat(sent.at("/spec/waitFor").asText()).isEqualTo("5m");
    }

    @Test
    void waitShowsWhatItWaitsFor() {
        String waiting = executionJson(
                "{\"phase\":\"Pending\",\"pendingDetails\":{\"reason\":\"Waiting\",\"message\":\"waits for node/n\"}}");
        server.respondTo(GET, json(200, waiting), json(200, COMPLETED)).respondTo(EVENTS, stream(COMPLETED_EVENT));
        assertThat(runAndWait()).isEqualTo(ExitCodes.OK);
        assertThat(cli.out()).contains("e1  Pending waits for node/n");
    }

    @Test
    void waitPrintsProgressLinesWhenNotInteractive() {
        String progress =
                "event: Progress\ndata: {\"execution\":{\"uid\":\"u-1\"},\"pipelineRunStatus\":{\"completedTasks\":2,\"totalTasks\":3,\"message\":\"clean\"}}\n\n";
        server.respondTo(GET, json(200, RUNNING), json(200, COMPLETED))
                .respondTo(
                        EVENTS,
                        stream(": hello\n\n" + sseEvent("5", "WorkflowFailed", "another") + progress
                                + COMPLETED_EVENT));
        assertThat(runAndWait()).isEqualTo(ExitCodes.OK);
        assertThat(cli.out().lines())
                .containsExactly(
                        "e1  Pending",
                        "e1  Running 1/3 drain",
                        "e1  Running 2/3 clean",
                        "e1  Completed",
                        "Completed after 3s");
    }

    @Test
    void redrawsProgressLineWhenInteractive() {
        cli.interactive = true;
        server.respondTo(GET, json(200, RUNNING), json(200, COMPLETED)).respondTo(EVENTS, stream(COMPLETED_EVENT));
        assertThat(runAndWait()).isEqualTo(ExitCodes.OK);
        assertThat(cli.out())
                .contains("\re1 Running 1/3 drain 0s\u001b[K")
                .endsWith("\r\u001b[KCompleted after 3s" + System.lineSeparator());
    }

    @Test
    void detectsExecutionFinishedBeforeConnection() {
        server.respondTo(GET, json(200, COMPLETED)).respondTo(EVENTS, server.streamThenHang(": hello\n\n"));
        assertThat(runAndWait()).isEqualTo(ExitCodes.OK);
    }

    @Test
    void reconnectsFromLastEventWithGrowingBackoff() {
        List<Duration> waits = new CopyOnWriteArrayList<>();
        cli.sleeper = waits::add;
        server.respondTo(GET, json(200, RUNNING), json(200, RUNNING), json(200, RUNNING), json(200, COMPLETED))
                .respondTo(
                        EVENTS,
                        stream(sseEvent("3", "PipelineRunCreated", "another")),
                        truncated(": hello\n\n"),
                        error(503, "starting"),
                        stream(COMPLETED_EVENT));
        assertThat(runAndWait()).isEqualTo(ExitCodes.OK);
        assertThat(server.received().stream()
                        .filter(request -> request.request().startsWith(EVENTS))
                        .map(request -> request.header("Last-event-id").orElse("none")))
                .containsExactly("none", "3", "3", "3");
        assertThat(waits).hasSize(3);
        assertThat(waits.get(2)).isGreaterThan(waits.get(0));
        assertThat(cli.out()).contains("connection lost, reconnecting");
    }

    @Test
    void givesUpWhenServerStaysUnavailable() {
        List<Duration> waits = new CopyOnWriteArrayList<>();
        cli.sleeper = waits::add;
        server.respondTo(GET, json(200, RUNNING))
                .respondTo(EVENTS, stream(": hello\n\n"), error(503, "the database is away"));
        assertThat(runAndWait()).isEqualTo(ExitCodes.SERVER_ERROR);
        assertThat(cli.err()).contains("the database is away");
        assertThat(waits.stream().reduce(Duration.ZERO, Duration::plus)).isGreaterThan(Duration.ofMinutes(1));
    }

    @Test
    void doesNotRetryAfterUnauthorized() {
        server.respondTo(GET, json(200, RUNNING)).respondTo(EVENTS, stream(": hello\n\n"), error(401, "no"));
        assertThat(runAndWait()).isEqualTo(ExitCodes.UNAUTHORIZED);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "3 | {\"phase\":\"Failed\",\"failureDetails\":{\"reason\":\"ConfigurationError\",\"message\":\"no such workflow\",\"wasExecutionFailure\":false},\"nextAllowedExecution\":\"2026-11-15T12:01:00Z\"} | Failed (ConfigurationError): no such workflow | accepts the next attempt at 2026-11-15T12:01:00Z (in 1m)",
                "4 | {\"phase\":\"Failed\",\"failureDetails\":{\"reason\":\"TaskFailed\",\"message\":\"exit 1\",\"wasExecutionFailure\":true}} | Failed (TaskFailed): exit 1 | escapement clear node/n --reason",
                "4 | {\"phase\":\"Failed\",\"failureDetails\":{\"reason\":\"TaskFailed\",\"message\":\"exit 1\"}} | Failed (TaskFailed) | may be half changed",
                "1 | {\"phase\":\"Skipped\",\"skipDetails\":{\"reason\":\"ResourceBusy\",\"message\":\"held by e0\",\"conflictingWorkflow\":{\"name\":\"e0\",\"namespace\":\"other\"}}} | Skipped (ResourceBusy): held by e0 | escapement describe execution e0 -n other",
                "1 | {\"phase\":\"Skipped\",\"skipDetails\":{\"reason\":\"ExhaustedRetries\",\"message\":\"5 in a row\"}} | Skipped (ExhaustedRetries) | escapement describe target node/n",
            })
    void returnsOutcomeAsExitCodeAndPrintsSuggestedCommands(int exitCode, String status, String outcome, String next) {
        server.respondTo(GET, json(200, executionJson(status.strip()))).respondTo(EVENTS, stream(": hello\n\n"));
        assertThat(runAndWait()).isEqualTo(exitCode);
        assertThat(cli.out()).contains(outcome.strip(), next.strip());
    }

    @Test
    void returnsNotFoundWhenExecutionIsDeletedDuringWait() {
        server.respondTo(GET, json(200, RUNNING), error(404, "gone"))
                .respondTo(EVENTS, stream(sseEvent("9", "ExecutionDeleted", "u-1")));
        assertThat(runAndWait()).isEqualTo(ExitCodes.NOT_FOUND);
        assertThat(cli.err()).contains("execution e1 was deleted before it finished");
        server.respondTo(GET, json(200, COMPLETED.replace("u-1", "u-2"))).respondTo(EVENTS, stream(": hello\n\n"));
        assertThat(runAndWait()).describedAs("another of the same name").isEqualTo(ExitCodes.NOT_FOUND);
    }

    @Test
    void removesControlCharactersFromServerText() {
        String hostile = executionJson(
                "{\"phase\":\"Skipped\",\"skipDetails\":{\"reason\":\"Re\\u001b]0;x\\u0007\",\"message\":\"a\\u001b[2Jb\\u202ec\\r\\nd\"}}");
        server.respondTo(GET, json(200, hostile)).respondTo(EVENTS, stream(": hello\n\n"));
        assertThat(runAndWait()).isEqualTo(ExitCodes.NO);
        assertThat(cli.out())
                .contains("Skipped (Re ]0;x): a [2Jb c d")
                .doesNotContain("\u001b", "\u202e", "\r", "\u0007");
        for (String format : List.of("json", "yaml", "name", "wide")) {
            runAndWait("-o", format);
            assertThat(cli.out()).doesNotContain("\u001b", "\u202e", "\u0007");
        }
    }

    @Test
    void printsOnlyDocumentToStandardOutputAsJson() throws IOException {
        server.respondTo(GET, json(200, RUNNING), json(200, COMPLETED)).respondTo(EVENTS, stream(COMPLETED_EVENT));
        assertThat(runAndWait("-o", "json")).isEqualTo(ExitCodes.OK);
        assertThat(new JsonMapper().readTree(cli.out()).at("/status/phase").asText())
                .isEqualTo("Completed");
        assertThat(cli.err()).contains("e1  Running 1/3 drain");
    }

    @Test
    void interruptEndsWaitAndPrintsCommandsToContinue() {
        // The interrupt comes while the command waits for events, before the second connection.
        cli.sleeper = time -> cli.shutdownActions.forEach(Runnable::run);
        server.respondTo(GET, json(200, RUNNING), json(200, COMPLETED)).respondTo(EVENTS, stream(": hello\n\n"));
        runAndWait();
        assertThat(cli.err())
                .contains("stopped waiting; execution e1 continues", "escapement logs -f e1", "escapement cancel e1");
        assertThat(cli.shutdownActions).isEmpty();
    }

    @Test
    void replacesTakenGeneratedNameButNotGivenName() {
        server.respondTo(POST, error(409, "taken"), json(201, PENDING));
        assertThat(cli.run("run", "w", "node/n")).describedAs("taken, and gone").isEqualTo(ExitCodes.OK);
        String taken = "GET " + server.requests().get(1).substring(4).replaceAll("\\?.*", "");
        assertThat(taken).startsWith("GET /api/v1/executions/w-");
        // The same random letters again; now an execution of that name exists.
        CommandLineHarness second = new CommandLineHarness(cli.home);
        second.environment.putAll(cli.environment);
        server.respondTo(POST, error(409, "taken"), json(201, PENDING)).respondTo(taken, json(200, PENDING));
        assertThat(second.run("run", "w", "node/n")).isEqualTo(ExitCodes.OK);
        assertThat(second.out()).isEqualToIgnoringNewLines("execution e1 created");
        server.respondTo(POST, error(409, "taken")).respondTo("GET /api/v1/executions/mine", json(200, PENDING));
        assertThat(cli.run("run", "w", "node/n", "--name", "mine")).isEqualTo(ExitCodes.OK);
        assertThat(cli.out()).isEqualToIgnoringNewLines("execution e1 already exists with the same spec");
        assertThat(cli.run("run", "w", "node/other", "--name", "mine")).isEqualTo(ExitCodes.CONFLICT);
    }

    @Test
    void printsServerRejection() {
        server.respondTo(POST, error(400, "spec.parameters.A is refused"));
        assertThat(cli.run("run", "w", "node/n")).isEqualTo(ExitCodes.USAGE);
        assertThat(cli.err()).contains("escapement run: spec.parameters.A is refused");
    }

    @ParameterizedTest
    @CsvSource({
        "run w, Missing required parameter: 'TARGET'",
        "run w t -p A, should be in KEY=VALUE format",
        "run w t --timeout x, is not a duration"
    })
    void rejectsInvalidArgumentsWithoutRequest(String line, String message) {
        assertThat(cli.run(line.split(" "))).isEqualTo(ExitCodes.USAGE);
        assertThat(cli.err()).contains(message);
        assertThat(server.requests()).isEmpty();
    }
}
