package dev.escapement.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.cli.ClientCommandTestBase;
import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.command.execution.ExecutionJsonSamples;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DescribeTargetCommandTest extends ClientCommandTestBase {

    DescribeTargetCommandTest(@TempDir Path home) throws IOException {
        super(home);
    }

    @Test
    void describesKnownAndUnknownTargets() {
        server.respondTo("GET /api/v1/executions", "{\"items\":[" + ExecutionJsonSamples.FAILED_EXECUTION + "]}");
        assertThat(cli.run("describe", "target", "NODE/n")).isEqualTo(ExitCodes.OK);
        assertThat(cli.out())
                .contains("Target:        node/n", "State:         Free", "payment/one of w: Failed (TaskFailed)");
        server.respondTo("GET /api/v1/targets/node%2Fn", """
                {"metadata":{"name":"wfe-1"},"spec":{"targetResource":"node/n"},"status":{"state":"Blocked","epoch":3,
                 "workflows":[{"workflowId":"w","block":{"name":"one","namespace":"payment","reason":"TaskFailed","completedAt":"2026-11-15T11:58:31Z"}}],
                 "clearance":{"clearedBy":"bob","clearReason":"looked","clearedAt":"2026-11-15T11:00:00Z"}}}""");
        cli.run("describe", "target", "node/n");
        assertThat(cli.out())
                .contains("State:         Blocked")
                .contains("w failed and blocks: payment/one (TaskFailed), 2026-11-15T11:58:31Z (1m29s ago)")
                .contains("by bob, 2026-11-15T11:00:00Z (1h ago): looked")
                .contains("escapement logs one -n payment", "escapement clear node/n");
    }
}
