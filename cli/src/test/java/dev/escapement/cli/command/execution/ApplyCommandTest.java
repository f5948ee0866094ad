package dev.escapement.cli.command.execution;

import static dev.escapement.cli.SimulatedServer.error;
import static dev.escapement.cli.SimulatedServer.json;
import static dev.escapement.cli.SimulatedServer.truncated;
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
import org.junit.jupiter.params.provider.CsvSource;

class ApplyCommandTest extends ClientCommandTestBase {

    private static final String POST = "POST /api/v1/executions";
    private static final String ONE = """
            # as for kubectl
            apiVersion: kubernaut.ai/v1alpha1
            kind: WorkflowExecution
            metadata:
              name: one
            spec:
              workflowRef: {workflowId: disk-cleanup}
              targetResource: node/worker-1
              executionConfig: {timeout: 60s}
            """;
    private static final String STORED_ONE = """
            {"apiVersion":"kubernaut.ai/v1alpha1","kind":"WorkflowExecution",
             "metadata":{"name":"one","namespace":"default","uid":"u-1"},
             "spec":{"workflowRef":{"workflowId":"disk-cleanup"},"targetResource":"node/worker-1","executionConfig":{"timeout":"1m"}},
             "status":{"phase":"Completed"}}""";

    ApplyCommandTest(@TempDir Path home) throws IOException {
        super(home);
        server.respondTo(POST, json(201, STORED_ONE));
    }

    @Test
    void sendsEachDocumentOfMultiDocumentFile() throws Exception {
        Path file = Files.writeString(
                home.resolve("a.yaml"), "---\n" + ONE + "---\n# nothing\n---\n" + ONE.replace("one", "two") + "---\n");
        assertThat(cli.run("apply", "-f", file.toString())).isEqualTo(ExitCodes.OK);
        assertThat(cli.out().lines()).containsExactly("execution default/one created", "execution default/two created");
        assertThat(server.received())
                .extracting(request -> new JsonMapper()
                        .readTree(request.body())
                        .at("/metadata/name")
                        .asText())
                .containsExactly("one", "two");
    }

    @Test
    void reportsUnchangedForEquivalentSpec() {
        server.respondTo(POST, error(409, "taken")).respondTo("GET /api/v1/executions/one", STORED_ONE);
        cli.stdin = ONE;
        assertThat(cli.run("apply", "-f", "-")).isEqualTo(ExitCodes.OK);
        assertThat(cli.out()).isEqualToIgnoringNewLines("execution default/one unchanged");
    }

    @Test
    void rejectsDifferentSpecUnderSameName() {
        server.respondTo(POST, error(409, "taken")).respondTo("GET /api/v1/executions/one", STORED_ONE);
        cli.stdin = ONE.replace("worker-1", "worker-2");
        assertThat(cli.run("apply", "-f", "-")).isEqualTo(ExitCodes.CONFLICT);
        assertThat(cli.err())
                .contains("standard input, document 1 (line 1)", "exists with a different spec", "immutable");
    }

    @Test
    void looksUpExecutionByNameAfterLostResponse() {
        server.respondTo(POST, truncated("{")).respondTo("GET /api/v1/executions/one", STORED_ONE);
        cli.stdin = ONE;
        assertThat(cli.run("apply", "-f", "-")).isEqualTo(ExitCodes.OK);
        assertThat(cli.out()).isEqualToIgnoringNewLines("execution default/one created");
        server.respondTo("GET /api/v1/executions/one", error(404, "no such"));
        assertThat(cli.run("apply", "-f", "-")).isEqualTo(ExitCodes.UNREACHABLE);
        assertThat(cli.err()).contains("the request may or may not have been processed");
    }

    @Test
    void sendsRemainingDocumentsAfterServerRejectsOne() {
        server.respondTo(POST, error(413, "too large"), json(201, STORED_ONE));
        cli.stdin = ONE + "---\n" + ONE.replace("one", "two");
        assertThat(cli.run("apply", "-f", "-")).isEqualTo(ExitCodes.USAGE);
        assertThat(cli.out()).isEqualToIgnoringNewLines("execution default/two created");
        assertThat(cli.err()).contains("document 1 (line 1): too large");
    }

    @Test
    void reportsAllProblemsAndSendsNothing() {
        cli.stdin = ONE + "---\nkind: Deployment\n---\n" + ONE.replace("  name: one", "  generateName: x-")
                + "---\n" + ONE.replace("spec:", "spec: [") + "---\n" + ONE + "---\n"
                + ONE.replace("one", "three").replace("targetResource", "target");
        assertThat(cli.run("apply", "-f", "-")).isEqualTo(ExitCodes.USAGE);
        assertThat(cli.err())
                .contains("document 2 (line 10): kind is \"Deployment\": only WorkflowExecution")
                .contains("document 3 (line 12): metadata.name is missing")
                .contains("document 4: line 30")
                .contains("document 5 (line 32): duplicate execution default/one")
                .contains("document 6 (line 42)", "spec.target is not a field", "spec.targetResource is missing")
                .contains("no execution was created");
        assertThat(server.requests()).isEmpty();
    }

    @Test
    void rejectsTooLongDocumentButAcceptsLongFile() {
        String padding = "# " + "x".repeat(600 << 10) + "\n";
        cli.stdin = ONE + padding + "---\n" + ONE.replace("one", "two") + padding;
        assertThat(cli.run("apply", "-f", "-", "--dry-run")).isEqualTo(ExitCodes.OK);
        assertThat(cli.out().lines()).hasSize(2);
        cli.stdin = ONE + "---\n" + ONE.replace("one", "two") + padding + padding;
        assertThat(cli.run("apply", "-f", "-")).isEqualTo(ExitCodes.USAGE);
        assertThat(cli.err())
                .contains("document 2 (line 10): document has 1229", "characters: the maximum is 1048576")
                .contains("no execution was created");
        assertThat(server.requests()).isEmpty();
    }

    @Test
    void dryRunSendsNoRequest() {
        cli.stdin = ONE;
        assertThat(cli.run("apply", "-f", "-", "--dry-run", "-n", "payment")).isEqualTo(ExitCodes.OK);
        assertThat(cli.out()).isEqualToIgnoringNewLines("execution payment/one valid (dry run)");
        assertThat(server.requests()).isEmpty();
    }

    @Test
    void appliesOutputOfGetAsJsonAndAsList() {
        cli.stdin = "\t" + STORED_ONE;
        assertThat(cli.run("apply", "-f", "-")).isEqualTo(ExitCodes.OK);
        cli.stdin = "{\"kind\":\"List\",\"items\":[" + STORED_ONE + "," + STORED_ONE.replace("one", "two") + "]}";
        assertThat(cli.run("apply", "-f", "-")).isEqualTo(ExitCodes.OK);
        assertThat(server.requests()).hasSize(3);
        assertThat(server.received().get(0).body()).doesNotContain("Completed");
    }

    @ParameterizedTest
    @CsvSource({
        "absent.yaml, no such file",
        ".,cannot be read",
        "binary, is not text in UTF-8",
        "empty, contains no document"
    })
    void namesUnusableFile(String name, String message) throws IOException {
        Files.write(home.resolve("binary"), new byte[] {(byte) 0xff, 0});
        Files.writeString(home.resolve("empty"), "---\n# nothing\n");
        assertThat(cli.run("apply", "-f", home.resolve(name).toString())).isEqualTo(ExitCodes.USAGE);
        assertThat(cli.err()).contains(message);
    }
}
