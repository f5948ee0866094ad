package dev.escapement.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever wake-up gets lost: a server looks at its executions by itself. */
class LostWakeUpTest {

    @Test
    void aRunWhoseEndNobodyToldIsFoundEnded(@TempDir Path folder) {
        assertThat(Rhythms.USUAL.resume()).isEqualTo(Duration.ofMinutes(1));
        OneRun run = new OneRun();
        Rhythms often = Rhythms.USUAL.withResume(Duration.ofMillis(50));
        try (TestServer server = TestServer.start(folder, (changed, clock) -> run, often)) {
            server.create("quiet", "ok", "node/quiet", Map.of());
            server.await("quiet", "Running");
            run.succeed();
            server.await("quiet", "Completed");
        }
    }
}
