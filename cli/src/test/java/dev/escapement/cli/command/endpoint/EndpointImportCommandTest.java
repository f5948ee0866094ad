package dev.escapement.cli.command.endpoint;

import static dev.escapement.cli.SimulatedServer.error;
import static dev.escapement.cli.SimulatedServer.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.escapement.cli.ClientCommandTestBase;
import dev.escapement.cli.ExitCodes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Imports are all or nothing, and every problem is reported with its line. */
class EndpointImportCommandTest extends ClientCommandTestBase {

    private static final String POST = "POST /api/v1/endpoints/import";
    private static final String IMPORT_RESULT = "{\"created\":[\"a\"],\"changed\":[\"b\"],\"unchanged\":[\"c\"]}";

    EndpointImportCommandTest(@TempDir Path home) throws IOException {
        super(home);
        server.respondTo(POST, json(200, IMPORT_RESULT));
    }

    private String sentNames(int request) throws IOException {
        return new JsonMapper()
                .readTree(server.received().get(request).body()).path("items").findValuesAsText("name").stream()
                        .collect(Collectors.joining(" "));
    }

    private static String endpointYaml(String name) {
        return "name: %s\nurl: https://%1$s.example.com/\ninterval: 1m\n".formatted(name);
    }

    @Test
    void sendsDocumentsListsAndFoldersInOneRequest() throws IOException {
        Path folder = Files.createDirectory(home.resolve("all"));
        Files.writeString(
                folder.resolve("1.yaml"), "# two\n---\n" + endpointYaml("a") + "---\n" + endpointYaml("b") + "---\n");
        Files.writeString(
                folder.resolve("2.yml"),
                "- {name: c, url: 'https://c.example', interval: 1m}\n- name: d\n  url: https://d.example\n  cron: '@daily'\n");
        Files.writeString(
                folder.resolve("3.json"),
                "{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[{\"name\":\"e\",\"url\":\"https://e.example\",\"interval\":\"1m\",\"status\":{\"state\":\"NEW\"}}]}");
        Files.writeString(folder.resolve("notes.txt"), "not this one");
        assertThat(cli.run("endpoint", "import", "-f", folder.toString())).isEqualTo(ExitCodes.OK);
        assertThat(server.requests()).containsExactly(POST);
        assertThat(sentNames(0)).isEqualTo("a b c d e");
        assertThat(cli.out().lines())
                .containsExactly("endpoint a created", "endpoint b changed", "endpoint c unchanged");
        assertThat(cli.err()).isEqualToIgnoringNewLines("1 created, 1 changed, 1 unchanged");
    }

    @Test
    void dryRunSendsDryRunParameter() {
        cli.stdin = endpointYaml("a");
        assertThat(cli.run("endpoint", "import", "-f", "-", "--dry-run")).isEqualTo(ExitCodes.OK);
        assertThat(server.requests()).containsExactly(POST + "?dry-run=true");
        assertThat(cli.out()).contains("endpoint a created (dry run)");
    }

    @Test
    void reportsAllProblemsWithLinesAndSendsNothing() throws IOException {
        Path file = Files.writeString(home.resolve("e.yaml"), """
                name: a
                url: https://a.example
                intervall: 1m
                ---
                # a comment
                name: b
                url: https://b.example
                interval: 1m
                timeout: 20m
                headers:
                  Accept: text/plain
                  X-Count: 3
                remediation:
                  workflow: w
                ---
                just a text
                ---
                - name: a
                  url: https://a.example
                  interval: soon
                - not an object
                ---
                name: c
                name: c
                """);
        assertThat(cli.run("endpoint", "import", "-f", file.toString())).isEqualTo(ExitCodes.USAGE);
        assertThat(cli.err().lines().map(line -> line.replace(file.toString(), "e.yaml")))
                .anySatisfy(line -> assertThat(line).startsWith("e.yaml:3: endpoint a: intervall is not a field"))
                .anySatisfy(
                        line -> assertThat(line).startsWith("e.yaml:1: endpoint a: exactly one of interval and cron"))
                .anySatisfy(line -> assertThat(line).startsWith("e.yaml:9: endpoint b: timeout is 20m"))
                .anySatisfy(line -> assertThat(line)
                        .startsWith("e.yaml:12: endpoint b: headers.X-Count is (hidden): must be a string"))
                .anySatisfy(line -> assertThat(line).startsWith("e.yaml:13: endpoint b: remediation.target is missing"))
                .anySatisfy(line -> assertThat(line).startsWith("e.yaml:16: ").contains("must be an object or a list"))
                .anySatisfy(line ->
                        assertThat(line).startsWith("e.yaml:20: endpoint a: interval is \"soon\": must be a duration"))
                .anySatisfy(line -> assertThat(line)
                        .isEqualTo("e.yaml:18: endpoint a: name is a duplicate of e.yaml:1: remove one of them"))
                .anySatisfy(line -> assertThat(line).startsWith("e.yaml:21: not an object"))
                .anySatisfy(line -> assertThat(line).startsWith("e.yaml:24: ").contains("uplicate"))
                .last()
                .asString()
                .endsWith("nothing was changed");
        assertThat(server.requests()).isEmpty();
    }

    @Test
    void addsLinesToProblemsReportedByServer() throws IOException {
        Path one = Files.writeString(home.resolve("1.yaml"), endpointYaml("a"));
        Path two = Files.writeString(
                home.resolve("2.yaml"),
                "- name: b\n  interval: 1m\n  headers:\n    Host: x\n  url: http://10.0.0.1/\n- {name: c, url: 'https://c.example', interval: 1m}\n");
        server.respondTo(
                POST,
                error(
                        400,
                        "items[1] (b): url is refused: 10.0.0.1 is inside\\nitems[1] (b): headers.Host is refused: no\\nitems[2] (c): reason unknown\\nitems[7] (x): y"));
        assertThat(cli.run("endpoint", "import", "-f", one.toString(), "-f", two.toString()))
                .isEqualTo(ExitCodes.USAGE);
        assertThat(cli.err().lines())
                .containsExactly(
                        two + ":5: endpoint b: url is refused: 10.0.0.1 is inside",
                        two + ":4: endpoint b: headers.Host is refused: no",
                        two + ":6: endpoint c: reason unknown",
                        "items[7] (x): y",
                        "escapement endpoint import: 4 problems; nothing was changed");
    }

    @Test
    void sendsHiddenValuesBackUnchanged() throws IOException {
        cli.stdin = endpointYaml("a") + "signingKey: (hidden)\nheaders: {Authorization: (hidden)}\nrevision: 3\n";
        assertThat(cli.run("endpoint", "import", "-f", "-")).isEqualTo(ExitCodes.OK);
        assertThat(new JsonMapper()
                        .readTree(server.received().get(0).body())
                        .at("/items/0/headers/Authorization")
                        .asText())
                .isEqualTo("(hidden)");
    }

    @Test
    void limitsNumberOfPrintedProblems() {
        cli.stdin = IntStream.range(0, 1_000)
                .mapToObj(i -> "- {name: e" + i + "}\n")
                .collect(Collectors.joining());
        assertThat(cli.run("endpoint", "import", "-f", "-")).isEqualTo(ExitCodes.USAGE);
        assertThat(cli.err().lines()).hasSize(102);
        assertThat(cli.err()).contains("standard input:50: endpoint e49: url is missing", "… and 1900 more");
    }

    @Test
    void namesMissingAndEmptyFiles() throws IOException {
        assertThat(cli.run("endpoint", "import", "-f", home.resolve("none.yaml").toString()))
                .isEqualTo(ExitCodes.USAGE);
        assertThat(cli.err()).contains("no such file");
        Path empty = Files.createDirectory(home.resolve("empty"));
        assertThat(cli.run("endpoint", "import", "-f", empty.toString())).isEqualTo(ExitCodes.USAGE);
        assertThat(cli.err()).contains("has no files that end in .yaml");
        cli.stdin = "# nothing\n";
        assertThat(cli.run("endpoint", "import", "-f", "-")).isEqualTo(ExitCodes.USAGE);
        assertThat(cli.err()).contains("standard input:1: contains no endpoint");
    }

    @Test
    void addReadsSingleEndpointFileAndReportsLines() throws IOException {
        Path file = Files.writeString(home.resolve("a.yaml"), "# mine\n" + endpointYaml("a"));
        server.respondTo(
                "POST /api/v1/endpoints",
                error(400, "url is refused: no"),
                json(201, EndpointJsonSamples.FAILING_ENDPOINT));
        assertThat(cli.run("endpoint", "add", "-f", file.toString())).isEqualTo(ExitCodes.USAGE);
        assertThat(cli.err())
                .isEqualToIgnoringNewLines("escapement endpoint add: " + file + ":3: endpoint a: url is refused: no");
        assertThat(cli.run("endpoint", "add", "-f", file.toString())).isEqualTo(ExitCodes.OK);
        assertThat(cli.run("endpoint", "add", "x", "-f", file.toString())).isEqualTo(ExitCodes.USAGE);
        Files.writeString(file, endpointYaml("a") + "---\n" + endpointYaml("b"));
        assertThat(cli.run("endpoint", "add", "-f", file.toString())).isEqualTo(ExitCodes.USAGE);
        assertThat(cli.err()).contains("has 2 endpoints: use 'endpoint import'");
    }
}
