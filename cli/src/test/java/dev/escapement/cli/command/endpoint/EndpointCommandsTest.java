package dev.escapement.cli.command.endpoint;

import static dev.escapement.cli.SimulatedServer.error;
import static dev.escapement.cli.SimulatedServer.json;
import static dev.escapement.cli.command.endpoint.EndpointJsonSamples.FAILING_ENDPOINT;
import static dev.escapement.cli.command.endpoint.EndpointJsonSamples.PAUSED_ENDPOINT;
import static dev.escapement.cli.command.endpoint.EndpointJsonSamples.listJson;
import static dev.escapement.cli.command.endpoint.EndpointJsonSamples.runJson;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.escapement.cli.ClientCommandTestBase;
import dev.escapement.cli.ExitCodes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The subcommands of {@code endpoint}, except import. */
class EndpointCommandsTest extends ClientCommandTestBase {

    EndpointCommandsTest(@TempDir Path home) throws IOException {
        super(home);
        server.respondTo("GET /api/v1/endpoints", listJson(FAILING_ENDPOINT, PAUSED_ENDPOINT))
                .respondTo("GET /api/v1/endpoints/health", FAILING_ENDPOINT)
                .respondTo("GET /api/v1/endpoints/health/runs", listJson(runJson(7, "FAILED", "2026-11-15T11:58:00Z")));
    }

    private String lastRequestBody() {
        return server.received().get(server.received().size() - 1).body();
    }

    @Test
    void getPrintsTableWithHostInsteadOfUrl() {
        assertThat(cli.run("endpoint", "get")).isEqualTo(ExitCodes.OK);
        assertThat(cli.out().lines())
                .containsExactly(
                        "NAME    STATE    FAILURES  NEXT RUN      SOURCE   LAST RUN   URL",
                        "health  Failing  2         in 2m         backoff  1m59s ago  api.example.com:8443",
                        "quiet   Paused   0         when resumed  pause    -          quiet.example.com");
    }

    @Test
    void getSendsStateFilterAndPrintsNames() {
        assertThat(cli.run("endpoint", "get", "--state", "failing", "-o", "name"))
                .isEqualTo(ExitCodes.OK);
        assertThat(cli.out().lines()).containsExactly("health", "quiet");
        assertThat(server.requests()).containsExactly("GET /api/v1/endpoints?state=failing&limit=50");
        assertThat(cli.run("endpoint", "get", "--state", "broken")).isEqualTo(ExitCodes.USAGE);
        assertThat(cli.run("endpoint", "get", "none")).isEqualTo(ExitCodes.NOT_FOUND);
        assertThat(cli.run("endpoint", "get", "health", "-o", "wide")).isEqualTo(ExitCodes.OK);
        assertThat(cli.out()).contains("2026-11-15T12:02:00Z (in 2m)", "1m", "e1");
    }

    @Test
    void describeShowsPlanAndRejectedCandidates() {
        assertThat(cli.run("endpoint", "describe", "health")).isEqualTo(ExitCodes.OK);
        assertThat(cli.out())
                .contains("Signed:        yes (the key is not shown)")
                .contains("Schedule:      every 1m")
                .contains("Min interval:  10s")
                .contains("Failures:      2 in a row")
                .contains("Next run:      2026-11-15T12:02:00Z (in 2m), backoff")
                .contains("  Authorization: (hidden)")
                .contains("  expired: every 10s, until 2026-11-15T11:00:00Z (1h ago), by ada: deployment")
                .contains("  backoff, 2026-11-15T12:02:00Z (in 2m): every 1m, stretched by 2 failures")
                .contains("  brought forward by maxInterval; without that: 2026-11-15T12:03:00Z (in 3m)")
                .contains("  not hint interval, 2026-11-15T12:00:10Z (in 10s): every 10s, asked for by ada"
                        + " (it has expired)")
                .contains("  after 3 failures in a row: restart on node/n")
                .contains("  requested after run 7, 2026-11-15T11:58:02Z (1m58s ago): execution health-fix is Running")
                .contains("  e1-7 Failed 2026-11-15T11:58:00Z (2m ago), took 120ms, 4ms late, baseline interval:"
                        + " status 503")
                .contains("escapement describe execution health-fix -n payment");
    }

    @Test
    void explainPrintsLinesWithoutControlSequences() {
        server.respondTo(
                "GET /api/v1/endpoints/health/explain",
                "{\"endpoint\":\"health\",\"explanation\":\"It is due.\\nRuns\\u001b[2J next at noon.\"}");
        assertThat(cli.run("endpoint", "explain", "health")).isEqualTo(ExitCodes.OK);
        assertThat(cli.out().lines()).containsExactly("It is due.", "Runs [2J next at noon.");
    }

    @Test
    void addBuildsEndpointFromOptions() throws IOException {
        Files.writeString(home.resolve("body.json"), "{\"a\":1}");
        Files.writeString(home.resolve("key"), "whsec_abc\n");
        server.respondTo("POST /api/v1/endpoints", json(201, FAILING_ENDPOINT));
        assertThat(cli.run(
                        "endpoint",
                        "add",
                        "health",
                        "https://api.example.com/health",
                        "--cron",
                        "0 3 * * *",
                        "--time-zone",
                        "Europe/Berlin",
                        "--method",
                        "POST",
                        "--header",
                        "Accept: text/plain",
                        "--header",
                        "X-Time: a:b",
                        "--body",
                        "@" + home.resolve("body.json"),
                        "--timeout",
                        "90s",
                        "--min",
                        "10s",
                        "--max",
                        "PT1H",
                        "--paused-until",
                        "2026-12-24T19:00:00+01:00",
                        "--signing-key-file",
                        home.resolve("key").toString(),
                        "--remediate-workflow",
                        "restart",
                        "--remediate-target",
                        "node/n",
                        "--remediate-after",
                        "5",
                        "--remediate-image",
                        "registry.example/restart:1",
                        "--description",
                        "is it up"))
                .isEqualTo(ExitCodes.OK);
        assertThat(new JsonMapper().readTree(lastRequestBody())).isEqualTo(new JsonMapper().readTree("""
                        {"name":"health","url":"https://api.example.com/health","cron":"0 3 * * *","timeZone":"Europe/Berlin","method":"POST",
                         "headers":{"Accept":"text/plain","X-Time":"a:b"},"body":"{\\"a\\":1}","timeout":"1m30s","minInterval":"10s","maxInterval":"1h",
                         "pausedUntil":"2026-12-24T18:00:00Z","signingKey":"whsec_abc","remediation":{"workflow":"restart","target":"node/n","after":5,"containerImage":"registry.example/restart:1"},
                         "description":"is it up"}"""));
        assertThat(server.received().get(0).header("X-escapement-user")).contains("ada");
        assertThat(cli.out())
                .isEqualToIgnoringNewLines("endpoint health added: next run 2026-11-15T12:02:00Z (in 2m), backoff");
    }

    @Test
    void addRejectsInvalidOptionsWithoutRequest() {
        assertThat(cli.run("endpoint", "add", "a", "https://a.example")).isEqualTo(ExitCodes.USAGE);
        assertThat(cli.err()).contains("--every or --cron");
        assertThat(cli.run("endpoint", "add", "a", "https://a.example", "--every", "1m", "--header", "s3cret"))
                .isEqualTo(ExitCodes.USAGE);
        assertThat(cli.err()).contains("'Name: value'").doesNotContain("s3cret");
        assertThat(cli.run("endpoint", "add", "a", "--every", "1m")).isEqualTo(ExitCodes.USAGE);
        assertThat(cli.run("endpoint", "add", "a", "https://a.example", "--every", "often"))
                .isEqualTo(ExitCodes.USAGE);
        assertThat(server.requests()).isEmpty();
    }

    @Test
    void addPrintsEachServerProblemAndReturnsConflictForTakenName() {
        server.respondTo(
                "POST /api/v1/endpoints",
                error(400, "url is refused: 127.0.0.1 is inside\\ntimeout is 20m: it must be from 1ms to 15m"),
                error(409, "there is an endpoint health already"));
        assertThat(cli.run("endpoint", "add", "health", "http://127.0.0.1/", "--every", "1m"))
                .isEqualTo(ExitCodes.USAGE);
        assertThat(cli.err().lines())
                .containsExactly(
                        "escapement endpoint add: url is refused: 127.0.0.1 is inside",
                        "escapement endpoint add: timeout is 20m: it must be from 1ms to 15m");
        assertThat(cli.run("endpoint", "add", "health", "http://127.0.0.1/", "--every", "1m"))
                .isEqualTo(ExitCodes.CONFLICT);
    }

    @Test
    void describeShowsActorAndReasonOfPause() {
        server.respondTo("GET /api/v1/endpoints/quiet", PAUSED_ENDPOINT)
                .respondTo("GET /api/v1/endpoints/quiet/runs", listJson());
        assertThat(cli.run("endpoint", "describe", "quiet")).isEqualTo(ExitCodes.OK);
        assertThat(cli.out()).contains("until resumed, by ada: new cables");
    }

    @Test
    void pauseAcceptsDurationOrTimeOrNoEnd() {
        server.respondTo("POST /api/v1/endpoints/quiet/pause", PAUSED_ENDPOINT);
        assertThat(cli.run("endpoint", "pause", "quiet")).isEqualTo(ExitCodes.OK);
        assertThat(lastRequestBody()).isEqualTo("{}");
        assertThat(cli.out()).isEqualToIgnoringNewLines("endpoint quiet paused: does not run until resumed");
        cli.run("endpoint", "pause", "quiet", "--for", "120m", "--reason", "rest", "--by", "bob");
        assertThat(lastRequestBody()).isEqualTo("{\"by\":\"bob\",\"for\":\"2h\",\"reason\":\"rest\"}");
        cli.run("endpoint", "pause", "quiet", "--until", "2026-11-16T00:00:00Z");
        assertThat(lastRequestBody()).isEqualTo("{\"until\":\"2026-11-16T00:00:00Z\"}");
        assertThat(cli.run("endpoint", "pause", "quiet", "--for", "1h", "--until", "2026-11-16T00:00:00Z"))
                .isEqualTo(ExitCodes.USAGE);
        assertThat(cli.run("endpoint", "pause", "quiet", "--until", "tomorrow")).isEqualTo(ExitCodes.USAGE);
        assertThat(cli.err()).contains("such as 2026-11-15T12:00:00Z");
    }

    @Test
    void resumeAndResetPrintNextRun() {
        server.respondTo("POST /api/v1/endpoints/health/resume", FAILING_ENDPOINT)
                .respondTo("POST /api/v1/endpoints/health/reset-failures", FAILING_ENDPOINT);
        assertThat(cli.run("endpoint", "resume", "health")).isEqualTo(ExitCodes.OK);
        assertThat(cli.out()).contains("endpoint health resumed: next run 2026-11-15T12:02:00Z (in 2m)");
        assertThat(cli.run("endpoint", "reset", "health")).isEqualTo(ExitCodes.OK);
        assertThat(cli.out()).contains("endpoint health failures reset: next run");
    }

    @Test
    void hintSendsOneKindWithReason() {
        server.respondTo("POST /api/v1/endpoints/health/hints", FAILING_ENDPOINT)
                .respondTo("DELETE /api/v1/endpoints/health/hints", FAILING_ENDPOINT);
        assertThat(cli.run("endpoint", "hint", "health", "--every", "10s", "--for", "1h", "--reason", "watching"))
                .isEqualTo(ExitCodes.OK);
        assertThat(lastRequestBody()).isEqualTo("{\"reason\":\"watching\",\"interval\":\"10s\",\"for\":\"1h\"}");
        cli.run("endpoint", "hint", "health", "--in", "5m", "--reason", "soon");
        assertThat(lastRequestBody()).isEqualTo("{\"reason\":\"soon\",\"in\":\"5m\"}");
        cli.run("endpoint", "hint", "health", "--at", "2026-11-16T00:00:00Z", "--reason", "then");
        assertThat(lastRequestBody()).isEqualTo("{\"reason\":\"then\",\"at\":\"2026-11-16T00:00:00Z\"}");
        assertThat(cli.run("endpoint", "hint", "health", "--clear")).isEqualTo(ExitCodes.OK);
        assertThat(server.requests()).last().isEqualTo("DELETE /api/v1/endpoints/health/hints");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--every 10s", "--every 10s --in 5m --reason x", "--reason x", "--every 10s --reason  "})
    void rejectsIncompleteHint(String options) {
        String[] args = ("endpoint hint health " + options).split(" ", -1);
        assertThat(cli.run(args)).isEqualTo(ExitCodes.USAGE);
        assertThat(server.requests()).isEmpty();
    }

    @Test
    void rmArchivesRemainingEndpointsAfterUnknownOne() {
        server.respondTo("DELETE /api/v1/endpoints/health", FAILING_ENDPOINT)
                .respondTo("DELETE /api/v1/endpoints/none", error(404, "there is no endpoint none"));
        assertThat(cli.run("endpoint", "rm", "none", "health")).isEqualTo(ExitCodes.NOT_FOUND);
        assertThat(cli.err()).contains("there is no endpoint none");
        assertThat(cli.out())
                .isEqualToIgnoringNewLines("endpoint health archived; its runs: escapement runs --endpoint e1");
    }

    @Test
    void listsSubcommandsWhenNoneIsGiven() {
        assertThat(cli.run("endpoint")).isEqualTo(ExitCodes.USAGE);
        assertThat(cli.err()).contains("missing subcommand: name one of add, get, describe");
    }
}
