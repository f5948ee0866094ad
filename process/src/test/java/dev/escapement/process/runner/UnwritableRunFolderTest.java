package dev.escapement.process.runner;

import static dev.escapement.process.runner.ProcessRunnerFixture.execution;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.engine.port.ExecutorUnavailableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The engine limits how long it waits for a runner that cannot write. */
class UnwritableRunFolderTest {

    private final ProcessRunnerFixture fixture;

    UnwritableRunFolderTest(@TempDir Path root) throws IOException {
        fixture = new ProcessRunnerFixture(root);
    }

    @AfterEach
    void close() throws IOException {
        fixture.close();
    }

    /** A file has the place of the folder, so that the test also holds for root. */
    @Test
    void cannotPrepareRun() throws IOException {
        fixture.writeWorkflow("w", "true");
        ProcessRunner runner = fixture.runner();
        Path runs = fixture.root.resolve("data/runs");
        Path moved = Files.move(runs, fixture.root.resolve("data/moved"));
        Files.createFile(runs);
        try {
            assertThatThrownBy(() -> runner.prepare(execution("w", 1, Map.of())))
                    .isInstanceOf(ExecutorUnavailableException.class)
                    .hasMessageStartingWith("cannot access the run folders");
        } finally {
            Files.delete(runs);
            Files.move(moved, runs);
        }
    }
}
