package dev.escapement.server.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server checks its executions periodically, so that lost notifications do no harm. */
class LostNotificationTest {

    @Test
    void findsEndedRunWithoutNotification(@TempDir Path folder) {
        assertThat(StandaloneComponents.UNFINISHED_SCAN_INTERVAL).isEqualTo(Duration.ofMinutes(1));
        ControlledRunner run = new ControlledRunner();
        try (TestServer server = TestServer.start(folder, (changed, clock) -> run, Duration.ofMillis(50))) {
            server.createExecution("quiet", "ok", "node/quiet", Map.of());
            server.awaitPhase("quiet", "Running");
            run.succeed();
            server.awaitPhase("quiet", "Completed");
        }
    }
}
