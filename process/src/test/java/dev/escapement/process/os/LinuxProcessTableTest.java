package dev.escapement.process.os;

import static dev.escapement.process.runner.ProcessRunnerFixture.execution;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.escapement.engine.execution.RunRef;
import dev.escapement.process.run.RunClaim;
import dev.escapement.process.runner.ProcessRunnerFixture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Distinguishes a supervisor from other processes with the same pid. */
class LinuxProcessTableTest {

    @Test
    void identifiesSupervisorByBootIdAndStartTime(@TempDir Path root) throws IOException {
        assumeTrue(LinuxProcessTable.isSupported(), "needs /proc");
        try (ProcessRunnerFixture fixture = new ProcessRunnerFixture(root)) {
            Path ready = fixture.createFifo("ready");
            fixture.writeWorkflow("waits", "echo >%s; exec sleep 600".formatted(ready));
            RunRef run = fixture.start(execution("waits", 1, Map.of()));
            Files.readString(ready);
            RunClaim.Supervisor supervisor =
                    (RunClaim.Supervisor) fixture.openFolder(run).owner().orElseThrow();
            ProcessTable processes = new LinuxProcessTable(BootId.current());
            assertThat(processes.isAlive(supervisor)).isTrue();
            assertThat(processes.isAlive(new RunClaim.Supervisor(
                            supervisor.pid(), supervisor.startTicks(), "another-boot", supervisor.startedAt())))
                    .describedAs("a process of another boot with the same pid")
                    .isFalse();
            assertThat(processes.isAlive(new RunClaim.Supervisor(
                            supervisor.pid(),
                            supervisor.startTicks() + "0",
                            supervisor.bootId(),
                            supervisor.startedAt())))
                    .describedAs("a later process with the same pid")
                    .isFalse();
        }
    }
}
