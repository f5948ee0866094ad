package dev.escapement.cli.command.execution;

import static dev.escapement.cli.SimulatedServer.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.cli.ClientCommandTestBase;
import dev.escapement.cli.ExitCodes;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CancelCommandTest extends ClientCommandTestBase {

    CancelCommandTest(@TempDir Path home) throws IOException {
        super(home);
    }

    @Test
    void reportsExecutionThatAlreadyFinished() {
        server.respondTo(
                "POST /api/v1/executions/one/cancel",
                json(200, ExecutionJsonSamples.FAILED_EXECUTION.replace("Failed", "Running")),
                json(200, ExecutionJsonSamples.FAILED_EXECUTION),
                json(200, ExecutionJsonSamples.FAILED_EXECUTION.replace("TaskFailed", "Cancelled")));
        assertThat(cli.run("cancel", "one", "-n", "payment")).isEqualTo(ExitCodes.OK);
        assertThat(server.received().get(0).request())
                .isEqualTo("POST /api/v1/executions/one/cancel?namespace=payment");
        assertThat(server.received().get(0).body()).isEqualTo("{}");
        assertThat(server.received().get(0).header("X-escapement-user")).contains("ada");
        assertThat(cli.out()).isEqualToIgnoringNewLines("execution payment/one: cancellation requested");
        assertThat(cli.run("cancel", "one")).isEqualTo(ExitCodes.NO);
        assertThat(cli.out()).isEqualToIgnoringNewLines("execution payment/one: already finished, phase Failed");
        assertThat(cli.run("cancel", "one")).isEqualTo(ExitCodes.OK);
    }
}
