package dev.escapement.cli.command.endpoint;

import static dev.escapement.cli.SimulatedServer.error;
import static dev.escapement.cli.SimulatedServer.json;
import static dev.escapement.cli.command.endpoint.EndpointJsonSamples.FAILING_ENDPOINT;
import static dev.escapement.cli.command.endpoint.EndpointJsonSamples.listJson;
import static dev.escapement.cli.command.endpoint.EndpointJsonSamples.runJson;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.cli.ClientCommandTestBase;
import dev.escapement.cli.ExitCodes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command {@code runs}, and {@code endpoint run --wait}. */
class RunsCommandTest extends ClientCommandTestBase {

    private static final String SUCCEEDED_RUN = runJson(8, "SUCCEEDED", "2026-11-15T11:59:00Z");
    private static final String FAILED_RUN = runJson(7, "FAILED", "2026-11-15T11:58:00Z");
    private static final String RUN_REQUESTED = FAILING_ENDPOINT.replace(
            "\"failures\":2", "\"runRequest\":{\"at\":\"2026-11-15T11:58:30Z\",\"by\":\"ada\"},\"failures\":2");

    RunsCommandTest(@TempDir Path home) throws IOException {
        super(home);
        server.respondTo("GET /api/v1/runs", listJson(SUCCEEDED_RUN, FAILED_RUN))
                .respondTo("GET /api/v1/runs/e1-7", FAILED_RUN);
    }

    @Test
    void printsRunTableNewestFirst() {
        assertThat(cli.run("runs")).isEqualTo(ExitCodes.OK);
        assertThat(cli.out().lines())
                .containsExactly(
                        "ID    ENDPOINT  OUTCOME    STARTED  TOOK   LATE  SOURCE             RESULT",
                        "e1-8  health    Succeeded  1m ago   120ms  4ms   baseline interval  status 200",
                        "e1-7  health    Failed     2m ago   120ms  4ms   baseline interval  status 503");
        cli.run("runs", "--endpoint", "health", "--failed", "-n", "5");
        assertThat(server.requests()).last().isEqualTo("GET /api/v1/runs?endpoint=health&outcome=failed&limit=5");
        assertThat(cli.run("runs", "--failed", "--succeeded")).isEqualTo(ExitCodes.USAGE);
        assertThat(cli.run("runs", "-n", "0")).isEqualTo(ExitCodes.USAGE);
    }

    @Test
    void printsRunWithPlanAndSanitisedResponse() {
        assertThat(cli.run("runs", "e1-7")).isEqualTo(ExitCodes.OK);
        assertThat(cli.out())
                .contains("Outcome:       Failed", "Failure:       status", "Error:         status 503")
                .contains("Late:          4ms", "Failures:      0 before, 1 after")
                .contains("Why at that time\n  baseline interval, 2026-11-15T11:58:00Z (2m ago): every 1m")
                .contains("Response (9 bytes)\n  first\n  second");
        assertThat(cli.run("runs", "e9-1")).isEqualTo(ExitCodes.NOT_FOUND);
    }

    @Test
    void followPrintsEachRunOnceAndSurvivesShortOutage() throws Exception {
        Semaphore polls = new Semaphore(0);
        cli.sleeper = time -> polls.acquire();
        server.respondTo(
                "GET /api/v1/runs",
                json(200, listJson(FAILED_RUN)),
                error(503, "starting"),
                json(200, listJson(SUCCEEDED_RUN, FAILED_RUN)),
                json(200, listJson(SUCCEEDED_RUN, FAILED_RUN)),
                json(200, listJson(runJson(9, "FAILED", "2026-11-15T12:00:00Z"), SUCCEEDED_RUN, FAILED_RUN)));
        CompletableFuture<Integer> following = cli.runAsync("runs", "-f");
        cli.awaitOutput("e1-7");
        polls.release(4);
        cli.awaitOutput("e1-9");
        assertThat(cli.out().lines().map(line -> line.split(" ", 2)[0])).containsExactly("ID", "e1-7", "e1-8", "e1-9");
        assertThat(cli.err()).contains("connection lost");
        server.respondTo("GET /api/v1/runs", error(401, "no"));
        polls.release();
        assertThat(following.get(60, TimeUnit.SECONDS)).isEqualTo(ExitCodes.UNAUTHORIZED);
    }

    @Test
    void waitEndsWithFirstRunAfterRequestAndReturnsItsOutcome() {
        String ended = RUN_REQUESTED.replace("2026-11-15T11:58:00Z", "2026-11-15T12:00:00Z");
        server.respondTo("POST /api/v1/endpoints/health/run", json(202, RUN_REQUESTED))
                .respondTo("GET /api/v1/endpoints/e1", json(200, RUN_REQUESTED), json(200, ended))
                .respondTo(
                        "GET /api/v1/endpoints/e1/runs",
                        json(200, listJson(runJson(9, "FAILED", "2026-11-15T12:00:00Z"), SUCCEEDED_RUN, FAILED_RUN)),
                        json(200, listJson(runJson(9, "SUCCEEDED", "2026-11-15T12:00:00Z"), FAILED_RUN)));
        assertThat(cli.run("endpoint", "run", "health", "--wait", "--reason", "now"))
                .isEqualTo(ExitCodes.OK);
        assertThat(server.received().get(0).body()).isEqualTo("{\"reason\":\"now\"}");
        assertThat(cli.out()).contains("health  Waiting", "Run:           e1-8");
        server.respondTo(
                "GET /api/v1/endpoints/e1/runs", listJson(runJson(9, "FAILED", "2026-11-15T12:00:00Z"), FAILED_RUN));
        assertThat(cli.run("endpoint", "run", "health", "--wait", "-o", "name")).isEqualTo(ExitCodes.NO);
        assertThat(cli.out()).isEqualToIgnoringNewLines("e1-9");
    }

    @Test
    void waitEndsWithConflictWhenEndpointIsPausedOrArchived() {
        server.respondTo(
                        "POST /api/v1/endpoints/health/run",
                        json(202, RUN_REQUESTED),
                        error(409, "endpoint health is paused"))
                .respondTo("GET /api/v1/endpoints/e1", RUN_REQUESTED.replace("FAILING", "ARCHIVED"));
        assertThat(cli.run("endpoint", "run", "health", "--wait")).isEqualTo(ExitCodes.CONFLICT);
        assertThat(cli.err()).contains("paused or archived before the requested run");
        assertThat(cli.run("endpoint", "run", "health", "--wait")).isEqualTo(ExitCodes.CONFLICT);
        assertThat(cli.err()).contains("is paused");
    }

    @Test
    void printsNextRunWithoutWait() {
        server.respondTo("POST /api/v1/endpoints/health/run", json(202, RUN_REQUESTED));
        assertThat(cli.run("endpoint", "run", "health")).isEqualTo(ExitCodes.OK);
        assertThat(cli.out()).contains("endpoint health run requested: next run");
    }
}
