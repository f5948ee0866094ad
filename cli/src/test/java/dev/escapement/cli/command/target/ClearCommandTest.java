package dev.escapement.cli.command.target;

import static dev.escapement.cli.SimulatedServer.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.cli.ClientCommandTestBase;
import dev.escapement.cli.ExitCodes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClearCommandTest extends ClientCommandTestBase {

    ClearCommandTest(@TempDir Path home) throws IOException {
        super(home);
    }

    @Test
    void sendsActorAndReasonAndReportsWhetherAnythingWasCleared() {
        server.respondTo(
                "POST /api/v1/targets/clear",
                json(
                        200,
                        "{\"status\":{\"clearance\":{\"clearedBy\":\"ada (unverified)\",\"clearReason\":\"looked at it\"}}}"));
        assertThat(cli.run("clear", "node/n", "--reason", "looked at it")).isEqualTo(ExitCodes.OK);
        assertThat(server.received().get(0).body()).isEqualTo("{\"target\":\"node/n\",\"reason\":\"looked at it\"}");
        assertThat(cli.out()).isEqualToIgnoringNewLines("target node/n cleared by ada (unverified): looked at it");
        assertThat(cli.run("clear", "node/n", "--reason", "another", "--by", "bob"))
                .isEqualTo(ExitCodes.NO);
        assertThat(cli.out()).contains("nothing to clear: target node/n");
        assertThat(cli.run("clear", "node/n")).isEqualTo(ExitCodes.USAGE);
        assertThat(cli.err()).contains("Missing required option: '--reason=TEXT'");
        assertThat(cli.run("clear", "node/n", "--reason", " ")).isEqualTo(ExitCodes.USAGE);
    }

    private static final String UNREACHABLE_CLUSTER = """
            apiVersion: v1
            kind: Config
            current-context: test
            contexts: [{name: test, context: {cluster: test, user: test}}]
            clusters: [{name: test, cluster: {server: "http://127.0.0.1:1"}}]
            users: [{name: test, user: {}}]
            """;

    @Test
    void usesOwnClusterOnlyIfNoServerIsNamed() throws IOException {
        server.respondTo(
                "POST /api/v1/targets/clear", json(200, "{\"status\":{\"clearance\":{\"clearReason\":\"looked\"}}}"));
        Path kubeconfig = Files.writeString(cli.home.resolve("kubeconfig"), UNREACHABLE_CLUSTER);
        cli.environment.put("KUBECONFIG", kubeconfig.toString());
        assertThat(cli.run("clear", "node/n", "--reason", "looked"))
                .describedAs("the server is named")
                .isEqualTo(ExitCodes.OK);
        assertThat(cli.run("clear", "node/n", "--reason", "looked", "--kubeconfig", kubeconfig.toString()))
                .isEqualTo(ExitCodes.CLUSTER_UNUSABLE);
        cli.environment.remove("ESCAPEMENT_SERVER");
        assertThat(cli.run("clear", "node/n", "--reason", "looked")).isEqualTo(ExitCodes.CLUSTER_UNUSABLE);
        assertThat(cli.err()).contains("127.0.0.1:1");
        assertThat(server.received()).hasSize(1);
        assertThat(cli.run("clear", "node/n", "--reason", "looked", "--kubeconfig", "missing"))
                .isEqualTo(ExitCodes.USAGE);
    }
}
