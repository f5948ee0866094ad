package dev.escapement.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.server.TestServer;
import dev.escapement.server.TestServer.Answer;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The main job over real HTTP, with the real store and real processes. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FlowTest {

    private final TestServer server;
    private final Path folder;

    FlowTest(@TempDir Path folder) {
        this.folder = folder;
        this.server = TestServer.start(folder);
    }

    @AfterAll
    void stop() {
        server.close();
    }

    @Test
    void anExecutionIsAcceptedRunAndCompleted() {
        Answer created = server.create("first", "greets", "node/greeted", Map.of("WHO", "you; rm -rf /"));
        assertThat(created.raw().headers().firstValue("Location"))
                .contains("/api/v1/executions/first?namespace=default");
        assertThat(created.text("/status/phase")).isEqualTo("Pending");
        Answer ended = server.await("first", "Completed");
        assertThat(ended.text("/status/outcome")).isEqualTo("Success");
        Answer logs = server.get("/api/v1/executions/first/logs");
        assertThat(logs.raw().body()).contains("hello you; rm -rf / on node/greeted");
        String next = logs.raw().headers().firstValue("X-Escapement-Next").orElseThrow();
        assertThat(server.get("/api/v1/executions/first/logs?from=" + next)
                        .raw()
                        .body())
                .isEmpty();
    }
}
