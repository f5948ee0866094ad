package dev.escapement.process.runner;

import static dev.escapement.process.runner.ProcessRunnerFixture.execution;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.execution.RunRef;
import dev.escapement.engine.port.WorkflowRunner.Observation;
import dev.escapement.process.run.RunFolderStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Limits of number and age for ended runs. */
class RunFolderRetentionTest {

    private final ProcessRunnerFixture fixture;
    private Instant now = ProcessRunnerFixture.NOW;

    RunFolderRetentionTest(@TempDir Path root) throws IOException {
        fixture = new ProcessRunnerFixture(root);
        fixture.writeWorkflow("quick", "echo done");
    }

    @AfterEach
    void close() throws IOException {
        fixture.close();
    }

    private RunFolderStore folders() {
        return new RunFolderStore(fixture.root.resolve("data/runs"), new SplittableRandom(1));
    }

    private RunFolderRetention newRetention(int maxRuns, Duration maxAge) {
        RunnerSettings settings = new RunnerSettings(
                fixture.root.resolve("data"), "server-1", 10L << 20, Duration.ofSeconds(2), maxRuns, maxAge);
        return new RunFolderRetention(folders(), settings, () -> now);
    }

    private String createEndedRun(int number) throws IOException {
        String key = "00000000-%04d".formatted(number);
        Path folder = Files.createDirectories(folders().path().resolve(key));
        Files.writeString(folder.resolve("result"), "succeeded\n");
        Files.writeString(folder.resolve("log"), "output\n");
        return key;
    }

    @Test
    void keepsNewestRuns() throws IOException {
        RunFolderRetention retention = newRetention(2, Duration.ofDays(7));
        for (int number = 1; number <= 5; number++) {
            retention.addEnded(createEndedRun(number));
            now = now.plusSeconds(120);
        }
        retention.trim();
        assertThat(retention.keys()).containsExactly("00000000-0004", "00000000-0005");
        assertThat(folders().keys()).containsExactlyInAnyOrder("00000000-0004", "00000000-0005");
    }

    @Test
    void keepsJustEndedRunsForMinimumTime() throws IOException {
        RunFolderRetention retention = newRetention(1, Duration.ofDays(7));
        for (int number = 1; number <= 3; number++) {
            retention.addEnded(createEndedRun(number));
        }
        assertThat(folders().keys()).hasSize(3);
        now = now.plusSeconds(60);
        retention.trim();
        assertThat(folders().keys()).hasSize(1);
    }

    @Test
    void removesRunsOlderThanRetention() throws IOException {
        RunFolderRetention retention = newRetention(100, Duration.ofHours(2));
        retention.addEnded(createEndedRun(1));
        now = now.plus(Duration.ofHours(1));
        retention.addEnded(createEndedRun(2));
        now = now.plus(Duration.ofHours(1));
        retention.trim();
        assertThat(folders().keys()).containsExactly("00000000-0002");
    }

    @Test
    void keepsRunsThatEndedWithoutServerForMinimumTime() throws IOException {
        RunFolderRetention retention = newRetention(100, Duration.ofHours(2));
        retention.addRecovered(createEndedRun(1), now.minus(Duration.ofDays(30)));
        retention.trim();
        assertThat(folders().keys()).hasSize(1);
        now = now.plus(Duration.ofHours(1));
        retention.trim();
        assertThat(folders().keys()).isEmpty();
    }

    @Test
    void forgetsRemovedRuns() throws IOException {
        RunFolderRetention retention = newRetention(10, Duration.ofDays(7));
        for (int number = 1; number <= 1_000; number++) {
            retention.addEnded("00000000-" + number);
            now = now.plusSeconds(61);
        }
        assertThat(retention.keys()).hasSize(10);
    }

    @Test
    void removesRunOfDeletedExecution() {
        RunRef run = fixture.runToEnd("quick", Map.of());
        fixture.runner().deleteRunData(execution("quick", 1, Map.of()).ref());
        assertThat(fixture.runner().observe(run)).isEqualTo(new Observation.Missing());
        assertThat(fixture.runFolder(run)).doesNotExist();
    }

    @Test
    void keepsEndedRunAcrossRestart() {
        RunRef run = fixture.runToEnd("quick", Map.of());
        fixture.restart();
        assertThat(fixture.runner().observe(run)).isInstanceOf(Observation.Succeeded.class);
        assertThat(fixture.readLog(run)).contains("done");
    }

    @Test
    void stopsMonitoringEndedRuns() throws IOException {
        List<RunRef> all = IntStream.rangeClosed(1, 20)
                .mapToObj(number -> fixture.start(execution("quick", number, Map.of())))
                .toList();
        all.forEach(fixture::awaitEnd);
        assertThat(fixture.runner().activeRunCount()).isZero();
        assertThat(folders().keys()).hasSize(20);
    }
}
