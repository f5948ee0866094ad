package dev.escapement.cli.command.execution;

import static dev.escapement.cli.SimulatedServer.error;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.cli.ClientCommandTestBase;
import dev.escapement.cli.ExitCodes;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeleteCommandTest extends ClientCommandTestBase {

    DeleteCommandTest(@TempDir Path home) throws IOException {
        super(home);
    }

    @Test
    void stopsAtFirstUnknownExecution() {
        server.respondTo("DELETE /api/v1/executions/one", ExecutionJsonSamples.FAILED_EXECUTION)
                .respondTo("DELETE /api/v1/executions/two", error(404, "no two"));
        assertThat(cli.run("delete", "-n", "payment", "one", "two")).isEqualTo(ExitCodes.NOT_FOUND);
        assertThat(cli.out()).isEqualToIgnoringNewLines("execution payment/one deleted, last phase Failed");
        assertThat(cli.err()).contains("no two");
        assertThat(server.received().get(0).body()).isEqualTo("{}");
        assertThat(server.received().get(0).header("X-escapement-user")).contains("ada");
    }
}
