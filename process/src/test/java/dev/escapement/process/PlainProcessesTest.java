package dev.escapement.process;

import static dev.escapement.process.Bench.execution;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.execution.RunRef;
import dev.escapement.process.ProcessTable.Member;
import dev.escapement.process.ProcessTable.Sought;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Both ways to look at processes agree on a run that does nothing unusual. */
class PlainProcessesTest {

    private final Bench bench;
    private final ProcessTable plain = new PlainProcesses();

    PlainProcessesTest(@TempDir Path root) throws IOException {
        bench = new Bench(root);
    }

    @AfterEach
    void close() throws IOException {
        bench.close();
    }

    @Test
    void theTaskIsToldFromItsSupervisor() throws IOException {
        Path ready = bench.fifo("ready");
        Path pid = bench.root.resolve("pid");
        bench.workflow("waits", "echo $$ >%s; echo >%s; exec sleep 600".formatted(pid, ready));
        RunRef run = bench.start(execution("waits", 1, Map.of()));
        Files.readString(ready);
        Claim.Supervisor supervisor =
                (Claim.Supervisor) new RunFolder(bench.folder(run)).claim().orElseThrow();
        List<Member> members =
                plain.members(List.of(new Sought(run.uid(), supervisor))).getOrDefault(run.uid(), List.of());
        assertThat(members)
                .filteredOn(member -> !member.supervising())
                .extracting(member -> Long.toString(member.process().pid()))
                .containsExactly(Files.readString(pid).strip());
        assertThat(plain.isAlive(supervisor)).isTrue();
    }

    @Test
    void aLaterProcessWithTheSameNumberIsNotTheSupervisor() {
        Claim.Supervisor old =
                new Claim.Supervisor(ProcessHandle.current().pid(), "-", "boot", Bench.NOW.minusSeconds(1L << 32));
        assertThat(plain.isAlive(old)).isFalse();
    }
}
