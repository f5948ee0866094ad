package dev.escapement.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.cli.ClientCommandTestBase;
import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.command.execution.ExecutionJsonSamples;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DescribeExecutionCommandTest extends ClientCommandTestBase {

    DescribeExecutionCommandTest(@TempDir Path home) throws IOException {
        super(home);
    }

    @Test
    void printsWhyExecutionIsPending() {
        server.respondTo("GET /api/v1/executions/two", """
                {"metadata":{"name":"two","namespace":"default"},
                 "spec":{"workflowRef":{"workflowId":"w"},"targetResource":"node/n"},
                 "status":{"phase":"Pending","pendingDetails":{"reason":"Waiting","message":"held by one"}}}
                """);
        assertThat(cli.run("describe", "execution", "two")).isEqualTo(ExitCodes.OK);
        assertThat(cli.out()).contains("Phase:         Pending (Waiting)").contains("held by one");
    }

    @Test
    void printsReasonAndSuggestedCommands() {
        server.respondTo("GET /api/v1/executions/one", ExecutionJsonSamples.FAILED_EXECUTION);
        assertThat(cli.run("describe", "execution", "one", "-n", "payment")).isEqualTo(ExitCodes.OK);
        assertThat(cli.out())
                .contains("Execution:     payment/one")
                .contains("Workflow:      w 1.2")
                .contains("Phase:         Failed (TaskFailed)")
                .contains("Took:          1m30s")
                .contains("A = 1")
                .contains("It drained halfway.")
                .contains("escapement logs one -n payment")
                .contains("escapement clear node/n --reason '…'");
    }
}
