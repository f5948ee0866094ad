package dev.escapement.process;

import static dev.escapement.process.Bench.execution;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.execution.RunRef;
import dev.escapement.engine.port.WorkflowRunner.Observation;
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

/** Ended runs are kept, but not all and not for ever. */
class RetentionTest {

    private final Bench bench;
    private Instant now = Bench.NOW;

    RetentionTest(@TempDir Path root) throws IOException {
        bench = new Bench(root);
        bench.workflow("quick", "echo done");
    }

    @AfterEach
    void close() throws IOException {
        bench.close();
    }

    private RunsFolder runs() {
        return new RunsFolder(bench.root.resolve("data/runs"));
    }

    private Retention retention(int keep, Duration time) {
        return new Retention(runs(), bench.settings.keeping(keep, time), () -> now, new SplittableRandom(1));
    }

    private String ended(int number) throws IOException {
        String key = "00000000-%04d".formatted(number);
        Path folder = Files.createDirectories(runs().path().resolve(key));
        Files.writeString(folder.resolve("result"), "succeeded\n");
        Files.writeString(folder.resolve("log"), "much\n");
        return key;
    }

    @Test
    void theNewestAreKept() throws IOException {
        Retention retention = retention(2, Duration.ofDays(7));
        for (int number = 1; number <= 5; number++) {
            retention.ended(ended(number));
            now = now.plusSeconds(120);
        }
        retention.trim();
        assertThat(retention.keys()).containsExactly("00000000-0004", "00000000-0005");
        assertThat(runs().keys()).containsExactlyInAnyOrder("00000000-0004", "00000000-0005");
    }

    @Test
    void whatHasJustEndedIsKeptUntilItCanHaveBeenRecorded() throws IOException {
        Retention retention = retention(1, Duration.ofDays(7));
        for (int number = 1; number <= 3; number++) {
            retention.ended(ended(number));
        }
        assertThat(runs().keys()).hasSize(3);
        now = now.plusSeconds(60);
        retention.trim();
        assertThat(runs().keys()).hasSize(1);
    }

    @Test
    void theOldAreRemoved() throws IOException {
        Retention retention = retention(100, Duration.ofHours(2));
        retention.ended(ended(1));
        now = now.plus(Duration.ofHours(1));
        retention.ended(ended(2));
        now = now.plus(Duration.ofHours(1));
        retention.trim();
        assertThat(runs().keys()).containsExactly("00000000-0002");
    }

    @Test
    void whatEndedWhileNoServerWasThereIsKeptForAWhile() throws IOException {
        Retention retention = retention(100, Duration.ofHours(2));
        retention.found(ended(1), now.minus(Duration.ofDays(30)));
        retention.trim();
        assertThat(runs().keys()).hasSize(1);
        now = now.plus(Duration.ofHours(1));
        retention.trim();
        assertThat(runs().keys()).isEmpty();
    }

    @Test
    void nothingIsRememberedOfWhatIsGone() throws IOException {
        Retention retention = retention(10, Duration.ofDays(7));
        for (int number = 1; number <= 1_000; number++) {
            retention.ended("00000000-" + number);
            now = now.plusSeconds(61);
        }
        assertThat(retention.keys()).hasSize(10);
    }

    @Test
    void aDeletedExecutionIsForgotten() {
        RunRef run = bench.run("quick", Map.of());
        bench.runner().deleteRunData(execution("quick", 1, Map.of()).ref());
        assertThat(bench.runner().observe(run)).isEqualTo(new Observation.Missing());
        assertThat(bench.folder(run)).doesNotExist();
    }

    @Test
    void anEndedRunIsStillThereAfterARestart() {
        RunRef run = bench.run("quick", Map.of());
        bench.open();
        assertThat(bench.runner().observe(run)).isInstanceOf(Observation.Succeeded.class);
        assertThat(bench.log(run)).contains("done");
    }

    @Test
    void nobodyIsLookedAfterOnceAllHaveEnded() throws IOException {
        List<RunRef> all = IntStream.rangeClosed(1, 20)
                .mapToObj(number -> bench.start(execution("quick", number, Map.of())))
                .toList();
        all.forEach(bench::awaitEnd);
        assertThat(bench.runner().going()).isZero();
        assertThat(runs().keys()).hasSize(20);
    }
}
