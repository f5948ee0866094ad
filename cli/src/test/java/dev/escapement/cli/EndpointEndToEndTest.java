package dev.escapement.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.escapement.cli.client.Sleeper;
import dev.escapement.server.StubHttpServer;
import dev.escapement.server.standalone.TestServer;
import dev.escapement.testkit.ConditionPoller;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the endpoint commands against a real server with real calls. */
class EndpointEndToEndTest {

    private final Path folder;
    private final StubHttpServer sink = new StubHttpServer();
    private final TestServer server;
    private final CommandLineHarness cli;

    EndpointEndToEndTest(@TempDir Path folder) throws IOException {
        this.folder = folder;
        server = TestServer.start(folder, Map.of("endpoints.allow", "127.0.0.1"));
        cli = new CommandLineHarness(folder);
        cli.environment.put("ESCAPEMENT_SERVER", server.address().toString());
        cli.environment.put("USER", "ada");
        cli.clock = InstantSource.system();
        cli.sleeper = Sleeper.realTime();
    }

    @AfterEach
    void stop() {
        server.close();
        sink.close();
    }

    private JsonNode getEndpoint(String name) throws IOException {
        assertThat(cli.run("endpoint", "get", name, "-o", "json")).isEqualTo(ExitCodes.OK);
        return new JsonMapper().readTree(cli.out());
    }

    @Test
    void failingEndpointBacksOffTakesHintsAndRecovers() throws IOException {
        sink.setReply("/health", 503, "down");
        assertThat(cli.run(
                        "endpoint", "add", "health", sink.url("/health"), "--every", "1h", "--header", "X-Key: s3cret"))
                .isEqualTo(ExitCodes.OK);
        assertThat(cli.run("endpoint", "run", "health", "--wait", "--reason", "is it up?"))
                .isEqualTo(ExitCodes.NO);
        assertThat(cli.out()).contains("Outcome:       Failed", "status 503", "is it up?", "down");
        assertThat(cli.run("endpoint", "describe", "health")).isEqualTo(ExitCodes.OK);
        assertThat(cli.out())
                .contains("Failing", "1 in a row", "backoff", "X-Key: (hidden)")
                .doesNotContain("s3cret");
        assertThat(cli.run("endpoint", "explain", "health")).isEqualTo(ExitCodes.OK);
        assertThat(cli.out()).contains("Runs next at ");
        assertThat(cli.run("endpoint", "hint", "health", "--every", "30m", "--reason", "sooner"))
                .isEqualTo(ExitCodes.OK);
        assertThat(getEndpoint("health").at("/status/nextRun/source").asText()).isEqualTo("HINT_INTERVAL");
        assertThat(cli.run("endpoint", "hint", "health", "--clear")).isEqualTo(ExitCodes.OK);
        sink.setReply("/health", 200, "up");
        awaitRunRequestInterval();
        assertThat(cli.run("endpoint", "run", "health", "--wait")).isEqualTo(ExitCodes.OK);
        assertThat(cli.run("runs", "--endpoint", "health", "-o", "json")).isEqualTo(ExitCodes.OK);
        assertThat(new JsonMapper().readTree(cli.out()).path("items").findValuesAsText("outcome"))
                .containsExactly("SUCCEEDED", "FAILED");
        assertThat(cli.run("runs", "--failed", "-n", "5")).isEqualTo(ExitCodes.OK);
        assertThat(cli.out().lines()).hasSize(2);
        assertThat(cli.run("endpoint", "get", "--state", "failing")).isEqualTo(ExitCodes.OK);
        assertThat(cli.err()).contains("no endpoints match");
    }

    /** A server accepts one request for a run per second and endpoint. */
    private static void awaitRunRequestInterval() {
        Instant allowed = Instant.now().plusMillis(1_100);
        ConditionPoller.await(
                "another run may be requested", () -> Instant.now().isAfter(allowed));
    }

    @Test
    void runRequestDuringRunIsServedByNextRun() throws Exception {
        sink.hold("/slow");
        assertThat(cli.run("endpoint", "add", "slow", sink.url("/slow"), "--every", "1h"))
                .isEqualTo(ExitCodes.OK);
        assertThat(cli.run("endpoint", "run", "slow")).isEqualTo(ExitCodes.OK);
        sink.await("/slow", 1);
        awaitRunRequestInterval();
        CompletableFuture<Integer> second = cli.runAsync("endpoint", "run", "slow", "--wait");
        cli.awaitOutput("Running on");
        sink.release("/slow");
        assertThat(second.get(60, TimeUnit.SECONDS)).isEqualTo(ExitCodes.OK);
        assertThat(sink.requestsTo("/slow")).hasSize(2);
        assertThat(cli.out()).contains("-2");
    }

    @Test
    void pausedEndpointRejectsRunsAndArchivedEndpointKeepsRuns() throws IOException {
        cli.run("endpoint", "add", "a", sink.url("/a"), "--every", "1h");
        assertThat(cli.run("endpoint", "run", "a", "--wait")).isEqualTo(ExitCodes.OK);
        assertThat(cli.run("endpoint", "pause", "a")).isEqualTo(ExitCodes.OK);
        assertThat(cli.out()).contains("does not run until resumed");
        assertThat(cli.run("endpoint", "run", "a", "--wait")).isEqualTo(ExitCodes.CONFLICT);
        assertThat(cli.run("endpoint", "resume", "a")).isEqualTo(ExitCodes.OK);
        assertThat(cli.run("endpoint", "reset", "a")).isEqualTo(ExitCodes.OK);
        assertThat(cli.run("endpoint", "add", "a", sink.url("/a"), "--every", "1h"))
                .isEqualTo(ExitCodes.CONFLICT);
        String id = getEndpoint("a").path("id").asText();
        assertThat(cli.run("endpoint", "rm", "a")).isEqualTo(ExitCodes.OK);
        assertThat(cli.run("endpoint", "get", "a")).isEqualTo(ExitCodes.NOT_FOUND);
        assertThat(cli.run("runs", "--endpoint", id, "-o", "name")).isEqualTo(ExitCodes.OK);
        assertThat(cli.out()).isEqualToIgnoringNewLines(id + "-1");
    }

    @Test
    void importsThousandEndpointsAndReimportsExportUnchanged() throws IOException {
        String many = IntStream.range(0, 1_000)
                .mapToObj(i -> "---\nname: e%04d\nurl: %s\ninterval: 1h\nheaders: {X-Token: t%1$d}\n"
                        .formatted(i, sink.url("/e")))
                .collect(Collectors.joining());
        Path file = Files.writeString(folder.resolve("many.yaml"), many);
        assertThat(cli.run("endpoint", "import", "-f", file.toString(), "--dry-run"))
                .isEqualTo(ExitCodes.OK);
        assertThat(cli.run("endpoint", "import", "-f", file.toString())).isEqualTo(ExitCodes.OK);
        assertThat(cli.err()).isEqualToIgnoringNewLines("1000 created, 0 changed, 0 unchanged");
        assertThat(cli.run("endpoint", "get", "--all", "-o", "yaml")).isEqualTo(ExitCodes.OK);
        cli.stdin = cli.out();
        assertThat(cli.run("endpoint", "import", "-f", "-"))
                .describedAs(cli.err())
                .isEqualTo(ExitCodes.OK);
        assertThat(cli.err()).isEqualToIgnoringNewLines("0 created, 0 changed, 1000 unchanged");
        assertThat(cli.run("endpoint", "run", "e0007", "--wait")).isEqualTo(ExitCodes.OK);
        assertThat(sink.requestsTo("/e").get(0).header("X-Token")).contains("t7");
    }

    @Test
    void importsNothingWhenServerRejectsOneAndReportsItsLine() throws IOException {
        String some = IntStream.range(0, 50)
                .mapToObj(i -> "- name: e%d\n  interval: 1h\n  url: %s\n"
                        .formatted(i, i == 33 ? "http://10.0.0.1/" : i == 44 ? "ttps://x/" : sink.url("/e")))
                .collect(Collectors.joining());
        Path file = Files.writeString(folder.resolve("some.yaml"), some);
        assertThat(cli.run("endpoint", "import", "-f", file.toString())).isEqualTo(ExitCodes.USAGE);
        assertThat(cli.err().lines())
                .anySatisfy(line -> assertThat(line).startsWith(file + ":102: endpoint e33: url is refused"))
                .anySatisfy(line -> assertThat(line).startsWith(file + ":135: endpoint e44: url is refused"))
                .hasSize(3);
        assertThat(cli.run("endpoint", "get", "-o", "name")).isEqualTo(ExitCodes.OK);
        assertThat(cli.out()).isEmpty();
    }
}
