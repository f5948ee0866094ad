package dev.escapement.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.cli.ClientCommandTestBase;
import dev.escapement.cli.ExitCodes;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DescribeWorkflowCommandTest extends ClientCommandTestBase {

    DescribeWorkflowCommandTest(@TempDir Path home) throws IOException {
        super(home);
    }

    @Test
    void printsParametersTasksAndExampleCommand() {
        server.respondTo(
                "GET /api/v1/workflows/w",
                "{\"id\":\"w\",\"version\":\"1\",\"tasks\":[{\"name\":\"t\",\"command\":[\"rm\",\"-rf\",\"$X; y\"]}],\"parameters\":[{\"name\":\"A\",\"type\":\"integer\",\"required\":true,\"description\":\"how many\"}]}");
        assertThat(cli.run("describe", "workflow", "w")).isEqualTo(ExitCodes.OK);
        assertThat(cli.out())
                .contains("A (integer, required): how many")
                .contains("t: rm -rf '$X; y'")
                .contains("escapement run w TARGET -p A=… --wait");
    }
}
