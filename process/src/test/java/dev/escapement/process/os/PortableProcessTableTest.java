package dev.escapement.process.os;

import static dev.escapement.process.runner.ProcessRunnerFixture.execution;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.execution.RunRef;
import dev.escapement.process.os.ProcessTable.PortableProcessTable;
import dev.escapement.process.os.ProcessTable.RunProcess;
import dev.escapement.process.os.ProcessTable.RunQuery;
import dev.escapement.process.run.RunClaim;
import dev.escapement.process.runner.ProcessRunnerFixture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PortableProcessTableTest {

    private final ProcessRunnerFixture fixture;
    private final ProcessTable processTable = new PortableProcessTable();

    PortableProcessTableTest(@TempDir Path root) throws IOException {
        fixture = new ProcessRunnerFixture(root);
    }

    @AfterEach
    void close() throws IOException {
        fixture.close();
    }

    @Test
    void distinguishesTaskFromSupervisor() throws IOException {
        Path ready = fixture.createFifo("ready");
        Path pid = fixture.root.resolve("pid");
        fixture.writeWorkflow("waits", "echo $$ >%s; echo >%s; exec sleep 600".formatted(pid, ready));
        RunRef run = fixture.start(execution("waits", 1, Map.of()));
        Files.readString(ready);
        RunClaim.Supervisor supervisor =
                (RunClaim.Supervisor) fixture.openFolder(run).owner().orElseThrow();
        List<RunProcess> processes = processTable
                .findProcesses(List.of(new RunQuery(run.uid(), supervisor)))
                .getOrDefault(run.uid(), List.of());
        assertThat(processes)
                .filteredOn(process -> !process.isSupervisor())
                .extracting(process -> Long.toString(process.process().pid()))
                .containsExactly(Files.readString(pid).strip());
        assertThat(processTable.isAlive(supervisor)).isTrue();
    }

    @Test
    void doesNotTakeLaterProcessWithSamePidForSupervisor() {
        RunClaim.Supervisor old = new RunClaim.Supervisor(
                ProcessHandle.current().pid(), "-", "boot", ProcessRunnerFixture.NOW.minusSeconds(1L << 32));
        assertThat(processTable.isAlive(old)).isFalse();
    }
}
