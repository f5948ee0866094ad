package dev.escapement.cli.command.target;

import static dev.escapement.cli.SimulatedServer.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.cli.ClientCommandTestBase;
import dev.escapement.cli.ExitCodes;
import java.io.IOException;
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
                json(200, "{\"status\":{\"clearance\":{\"clearReason\":\"looked at it\"}}}"));
        assertThat(cli.run("clear", "node/n", "--reason", "looked at it")).isEqualTo(ExitCodes.OK);
        assertThat(server.received().get(0).body())
                .isEqualTo("{\"target\":\"node/n\",\"by\":\"ada\",\"reason\":\"looked at it\"}");
        assertThat(cli.out()).isEqualToIgnoringNewLines("target node/n cleared by ada: looked at it");
        assertThat(cli.run("clear", "node/n", "--reason", "another", "--by", "bob"))
                .isEqualTo(ExitCodes.NO);
        assertThat(cli.out()).contains("nothing to clear: target node/n");
        assertThat(cli.run("clear", "node/n")).isEqualTo(ExitCodes.USAGE);
        assertThat(cli.err()).contains("Missing required option: '--reason=TEXT'");
        assertThat(cli.run("clear", "node/n", "--reason", " ")).isEqualTo(ExitCodes.USAGE);
    }
}
