package dev.escapement.process.os;

import static dev.escapement.process.runner.ProcessRunnerFixture.execution;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.escapement.engine.execution.RunRef;
import dev.escapement.process.run.RunFolder;
import dev.escapement.process.run.RunOwner;
import dev.escapement.process.runner.ProcessRunnerFixture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process is told from others that have, or had, its number. */
class LinuxProcessTableTest {

    @Test
    void identifiesSupervisorByBootIdAndStartTime(@TempDir Path root) throws IOException {
        assumeTrue(LinuxProcessTable.isSupported(), "there is no /proc here");
        try (ProcessRunnerFixture bench = new ProcessRunnerFixture(root)) {
            Path ready = bench.createFifo("ready");
            bench.writeWorkflow("waits", "echo >%s; exec sleep 600".formatted(ready));
            RunRef run = bench.start(execution("waits", 1, Map.of()));
            Files.readString(ready);
            RunOwner.Supervisor it = (RunOwner.Supervisor)
                    new RunFolder(bench.runFolder(run)).owner().orElseThrow();
            ProcessTable processes = new LinuxProcessTable(BootId.current());
            assertThat(processes.isAlive(it)).isTrue();
            assertThat(processes.isAlive(
                            new RunOwner.Supervisor(it.pid(), it.startTicks(), "another-boot", it.startedAt())))
                    .describedAs("after a restart of the machine another has its number")
                    .isFalse();
            assertThat(processes.isAlive(
                            new RunOwner.Supervisor(it.pid(), it.startTicks() + "0", it.bootId(), it.startedAt())))
                    .describedAs("a later process has its number")
                    .isFalse();
        }
    }
}
