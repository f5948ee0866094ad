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
                .containsExactly(
                        "certificate-renewal", "database-migration", "disk-cleanup", "node-report", "restart-service");
    }

    @Test
    void theDiskIsCleaned() {
        RunRef run = bench.run("disk-cleanup", Map.of("PAUSE", "0", "KEEP", "5"));
        assertThat(bench.runner().observe(run)).isInstanceOf(Observation.Succeeded.class);
        assertThat(bench.log(run))
                .contains("removing day-3.log", "has space again")
                .doesNotContain("day-4");
    }

    @Test
    void theNodeIsReportedOn() {
        RunRef run = bench.run("node-report", Map.of());
        assertThat(bench.runner().observe(run)).isInstanceOf(Observation.Succeeded.class);
        assertThat(bench.log(run)).contains("report for node/worker-1");
    }

    @Test
    void theServiceIsRestarted() {
        RunRef run = bench.run("restart-service", Map.of("PAUSE", "0", "SERVICE", "api"));
        assertThat(bench.runner().observe(run)).isInstanceOf(Observation.Succeeded.class);
        assertThat(bench.log(run)).contains("api on node/worker-1 answers");
    }

    @Test
    void theMigrationBreaksHalfwayIfAskedTo() {
        Failure failure = bench.failure("database-migration", Map.of("STOP_AT", "migrate"));
        assertThat(failure.failedTaskName()).contains("migrate");
        assertThat(failure.exitCode()).contains(1);
        assertThat(failure.wasExecutionFailure()).isTrue();
    }

    @Test
    void theMigrationWorksOtherwise() {
        RunRef run = bench.run("database-migration", Map.of());
        assertThat(bench.runner().observe(run)).isInstanceOf(Observation.Succeeded.class);
    }

    @Test
    void theRenewalCannotStart() {
        assertThat(bench.refused(Bench.execution("certificate-renewal", 1, Map.of()))
                        .reason())
                .isEqualTo("CommandNotFound");
    }
}
