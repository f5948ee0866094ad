package dev.escapement.process;

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

/** The examples that come with it do what they say. */
class ExamplesTest {

    private static final Path EXAMPLES = Path.of("../examples/workflows");

    private final Bench bench;

    ExamplesTest(@TempDir Path root) throws IOException {
        bench = new Bench(root);
        Files.createDirectories(bench.workflows.resolve("scripts"));
        try (Stream<Path> files = Files.walk(EXAMPLES)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Files.copy(
                        file, bench.workflows.resolve(EXAMPLES.relativize(file).toString()));
            }
        }
    }

    @AfterEach
    void close() throws IOException {
        bench.close();
    }

    @Test
    void allOfThemCanBeRead() {
        Catalogue catalogue = new Catalogue(EXAMPLES);
        assertThat(catalogue.problems()).isEmpty();
        assertThat(catalogue.workflows())
                .extracting(Workflow::id)
                .containsExactly("clean-disk", "missing-tool", "restart-service", "rotate-certificates");
    }

    @Test
    void theDiskIsCleaned() {
        RunRef run = bench.run("clean-disk", Map.of("PAUSE", "0", "FILES", "3"));
        assertThat(bench.runner().observe(run)).isInstanceOf(Observation.Succeeded.class);
        assertThat(bench.log(run)).contains("removed 3 old files from node/worker-1", "has space again");
    }

    @Test
    void theServiceIsRestarted() {
        RunRef run = bench.run("restart-service", Map.of("PAUSE", "0", "SERVICE", "api"));
        assertThat(bench.runner().observe(run)).isInstanceOf(Observation.Succeeded.class);
        assertThat(bench.log(run)).contains("api on node/worker-1 answers");
    }

    @Test
    void theCertificatesFailHalfway() {
        Failure failure = bench.failure("rotate-certificates", Map.of("PAUSE", "0"));
        assertThat(failure.failedTaskName()).contains("install-new");
        assertThat(failure.exitCode()).contains(3);
        assertThat(failure.wasExecutionFailure()).isTrue();
    }

    @Test
    void theMissingToolCannotStart() {
        assertThat(bench.refused(Bench.execution("missing-tool", 1, Map.of())).reason())
                .isEqualTo("CommandNotFound");
    }
}
