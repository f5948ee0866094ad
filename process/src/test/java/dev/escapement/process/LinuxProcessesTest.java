package dev.escapement.process;

import static dev.escapement.process.Bench.execution;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.escapement.engine.execution.RunRef;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process is told from others that have, or had, its number. */
class LinuxProcessesTest {

    @Test
    void aSupervisorLivesInItsBootAndWithItsStart(@TempDir Path root) throws IOException {
        assumeTrue(LinuxProcesses.areHere(), "there is no /proc here");
        try (Bench bench = new Bench(root)) {
            Path ready = bench.fifo("ready");
            bench.workflow("waits", "echo >%s; exec sleep 600".formatted(ready));
            RunRef run = bench.start(execution("waits", 1, Map.of()));
            Files.readString(ready);
            Claim.Supervisor it =
                    (Claim.Supervisor) new RunFolder(bench.folder(run)).claim().orElseThrow();
            ProcessTable processes = new LinuxProcesses(Boot.current());
            assertThat(processes.isAlive(it)).isTrue();
            assertThat(processes.isAlive(new Claim.Supervisor(it.pid(), it.ticks(), "another-boot", it.at())))
                    .describedAs("after a restart of the machine another has its number")
                    .isFalse();
            assertThat(processes.isAlive(new Claim.Supervisor(it.pid(), it.ticks() + "0", it.boot(), it.at())))
                    .describedAs("a later process has its number")
                    .isFalse();
        }
    }
}
