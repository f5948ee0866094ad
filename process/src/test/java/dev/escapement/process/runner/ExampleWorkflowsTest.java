package dev.escapement.process.runner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.execution.RunRef;
import dev.escapement.engine.port.WorkflowRunner.Observation;
import dev.escapement.governor.failure.Failure;
import dev.escapement.process.catalogue.Catalogue;
import dev.escapement.process.catalogue.Workflow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the example workflows. */
class ExampleWorkflowsTest {

    private static final Path EXAMPLES = Path.of("../examples/workflows");

    private final ProcessRunnerFixture fixture;

    ExampleWorkflowsTest(@TempDir Path root) throws IOException {
        fixture = new ProcessRunnerFixture(root);
        Files.createDirectories(fixture.workflows.resolve("scripts"));
        try (Stream<Path> files = Files.walk(EXAMPLES)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Files.copy(
                        file,
                        fixture.workflows.resolve(EXAMPLES.relativize(file).toString()));
            }
        }
    }

    @AfterEach
    void close() throws IOException {
        fixture.close();
    }

    @Test
    void allExamplesAreValid() {
        Catalogue catalogue = new Catalogue(EXAMPLES);
        assertThat(catalogue.problems()).isEmpty();
        assertThat(catalogue.workflows())
                .extracting(Workflow::id)
                .containsExactly("clean-disk", "missing-tool", "restart-service", "rotate-certificates");
    }

    @Test
    void cleanDiskSucceeds() {
        RunRef run = fixture.runToEnd("clean-disk", Map.of("PAUSE", "0", "FILES", "3"));
        assertThat(fixture.runner().observe(run)).isInstanceOf(Observation.Succeeded.class);
        assertThat(fixture.readLog(run)).contains("removed 3 old files from node/worker-1", "has space again");
    }

    @Test
    void restartServiceSucceeds() {
        RunRef run = fixture.runToEnd("restart-service", Map.of("PAUSE", "0", "SERVICE", "api"));
        assertThat(fixture.runner().observe(run)).isInstanceOf(Observation.Succeeded.class);
        assertThat(fixture.readLog(run)).contains("api on node/worker-1 answers");
    }

    @Test
    void rotateCertificatesFailsInSecondTask() {
        Failure failure = fixture.awaitFailure("rotate-certificates", Map.of("PAUSE", "0"));
        assertThat(failure.failedTaskName()).contains("install-new");
        assertThat(failure.exitCode()).contains(3);
        assertThat(failure.wasExecutionFailure()).isTrue();
    }

    @Test
    void missingToolIsRefused() {
        assertThat(fixture.prepareRefused(ProcessRunnerFixture.execution("missing-tool", 1, Map.of()))
                        .reason())
                .isEqualTo("CommandNotFound");
    }
}
