package dev.escapement.cli.command.notification;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.cli.ClientCommandTestBase;
import dev.escapement.cli.ExitCodes;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NotificationCommandsTest extends ClientCommandTestBase {

    private static final String NOTIFICATION = """
            {"metadata": {"name": "nr-1", "creationTimestamp": "2026-11-17T08:00:00Z"},
             "spec": {"eventType": "WorkflowFailed", "severity": "critical", "subject": "Failed on node/a: OOMKilled",
                      "message": "What: x\\nClear: escapement clear node/a", "channels": ["log", "ops"]},
             "status": {"phase": "Retrying", "nextAttemptAt": "2026-11-17T08:01:00Z", "attempts": [
               {"channel": "log", "number": 1, "at": "2026-11-17T08:00:01Z", "outcome": "Sent"},
               {"channel": "ops", "number": 1, "at": "2026-11-17T08:00:01Z", "outcome": "Failed",
                "error": "status 503"}]}}
            """;

    NotificationCommandsTest(@TempDir Path home) throws IOException {
        super(home);
    }

    @Test
    void listsNotificationsByFilters() {
        server.respondTo("GET /api/v1/notifications", "{\"items\": [" + NOTIFICATION + "], \"metadata\": {}}");
        assertThat(cli.run(
                        "get", "notifications", "--phase", "retrying", "--severity", "critical", "--target", "node/a"))
                .isEqualTo(ExitCodes.OK);
        assertThat(server.requests())
                .containsExactly("GET /api/v1/notifications?phase=Retrying&severity=critical&target=node%2Fa&limit=50");
        assertThat(cli.out()).contains("nr-1", "critical", "Retrying", "Failed on node/a: OOMKilled");
    }

    @Test
    void describesTextChannelsAndAttempts() {
        server.respondTo("GET /api/v1/notifications/nr-1", NOTIFICATION);
        assertThat(cli.run("describe", "notification", "nr-1")).isEqualTo(ExitCodes.OK);
        assertThat(cli.out())
                .contains("log, ops")
                .contains("Clear: escapement clear node/a")
                .contains("ops attempt 1: Failed (status 503)");
    }

    @Test
    void testOfChannelShowsWhatCameBack() {
        server.respondTo(
                "POST /api/v1/notifications/test",
                "{\"channel\": \"ops\", \"sent\": true, \"detail\": \"status 200\"}");
        assertThat(cli.run("notify", "test", "ops")).isEqualTo(ExitCodes.OK);
        assertThat(cli.out()).isEqualToIgnoringNewLines("channel ops: sent (status 200)");
        assertThat(server.received().get(0).body()).contains("\"channel\":\"ops\"");
    }

    @Test
    void failedTestOfChannelHasItsOwnExitCode() {
        server.respondTo(
                "POST /api/v1/notifications/test",
                "{\"channel\": \"ops\", \"sent\": false, \"detail\": \"the response has status 503\"}");
        assertThat(cli.run("notify", "test", "ops")).isEqualTo(ExitCodes.NO);
        assertThat(cli.out()).contains("channel ops: failed: the response has status 503");
    }
}
