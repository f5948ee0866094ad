package dev.escapement.server.http.execution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.server.standalone.TestServer;
import dev.escapement.server.standalone.TestServer.ServerResponse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Invalid executions on a busy target, whose name has a colon, over real HTTP. */
class ValidationBeforeGateTest {

    private static final String TARGET = "clusterrole/system:coredns";

    @Test
    void invalidExecutionFailsOnBusyTargetAndHoldsBackOnlyItsWorkflow(@TempDir Path folder) throws IOException {
        try (TestServer server = TestServer.start(folder)) {
            Path gate = folder.resolve("gate");
            server.createExecution("holder", "waits", TARGET, Map.of("GATE", gate.toString()));
            server.awaitPhase("holder", "Running");
            server.createExecution("invalid", "ok", TARGET, Map.of("COUNT", "many"));
            ServerResponse invalid = server.awaitPhase("invalid", "Failed");
            assertThat(invalid.text("/status/failureDetails/reason")).isEqualTo("ValidationError");
            assertThat(invalid.body().at("/status/consecutiveFailures").asInt()).isEqualTo(1);
            ServerResponse target = server.get("/api/v1/targets/clusterrole%2Fsystem:coredns");
            assertThat(target.text("/status/state")).isEqualTo("Held");
            assertThat(target.text("/spec/targetResource")).isEqualTo(TARGET);

            Files.createFile(gate);
            server.awaitPhase("holder", "Completed");
            assertThat(server.get("/api/v1/targets/explain?workflow=ok&target=" + TARGET)
                            .text("/reason"))
                    .isEqualTo("RecentlyRemediated");
            assertThat(server.get("/api/v1/targets/explain?workflow=greets&target=" + TARGET)
                            .body()
                            .at("/admitted")
                            .asBoolean())
                    .isTrue();
        }
    }
}
