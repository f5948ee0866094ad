package dev.escapement.process;

import static dev.escapement.process.Bench.execution;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.execution.RunRef;
import dev.escapement.governor.failure.Failure;
import dev.escapement.governor.failure.FailureReason;
import dev.escapement.governor.failure.RunEnd;
import dev.escapement.governor.failure.StartStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run that has filled the disk can be ended all the same. */
class FullDiskTest {

    private static final String NO_ROOM = "made to end, with no room left to write why";

    private final Bench bench;
    private final Path ready;

    FullDiskTest(@TempDir Path root) throws IOException {
        bench = new Bench(root);
        ready = bench.fifo("ready");
    }

    @AfterEach
    void close() throws IOException {
        bench.close();
    }

    /** From now on the reason for which it must end cannot be written: something has the name of its file. */
    private void fill(RunRef run) throws IOException {
        bench.random = () -> 0;
        Files.createDirectory(bench.folder(run).resolve("stop-" + Hex.nonce(bench.random)));
    }

    private Failure cancelled(RunRef run) {
        Failure failure = bench.failure(run);
        assertThat(bench.folder(run).resolve("stop")).isSymbolicLink();
        assertThat(failure.reason()).isEqualTo(FailureReason.Cancelled);
        assertThat(failure.message()).isEqualTo(NO_ROOM);
        return failure;
    }

    @Test
    void aRunThatGoesOnIsEnded() throws IOException {
        Path pid = bench.root.resolve("pid");
        bench.workflow("w", "echo $$ >%s; echo >%s; exec sleep 600".formatted(pid, ready), "echo next");
        RunRef run = bench.start(execution("w", 1, Map.of()));
        Files.readString(ready);
        fill(run);
        bench.runner().stop(run, "alice");
        assertThat(cancelled(run).startStatus()).isEqualTo(StartStatus.YES);
        assertThat(Bench.isAlive(pid)).isFalse();
        assertThat(bench.log(run)).doesNotContain("next");
    }

    @Test
    void theSupervisorLetsNoFurtherTaskGo() throws Exception {
        Path gate = bench.fifo("gate");
        // Nobody ends it: the first task ends by itself, and the supervisor alone sees that the second must not begin.
        bench.workflow("w", "echo >%s; read line <%s".formatted(ready, gate), "echo next");
        RunRef run = bench.start(execution("w", 1, Map.of()));
        Files.readString(ready);
        Claim claim = new RunFolder(bench.folder(run)).claim().orElseThrow();
        ProcessHandle supervisor =
                ProcessHandle.of(((Claim.Supervisor) claim).pid()).orElseThrow();
        bench.runner().close();
        fill(run);
        assertThat(stop(run, Stop.cancelled("alice"))).isTrue();
        Files.writeString(gate, "go\n");
        supervisor.onExit().get();
        bench.open();
        cancelled(run);
        assertThat(bench.log(run)).doesNotContain("next");
    }

    @Test
    void nothingBeginsOfARunThatHasNotBegun() throws IOException {
        bench.workflow("w", "echo never");
        RunRef run = bench.prepare(execution("w", 1, Map.of())).run();
        fill(run);
        assertThat(stop(run, Stop.cancelled("alice"))).isTrue();
        bench.runner().start(run, Preparer.SUSPENDED, 7);
        assertThat(cancelled(run).startStatus()).isEqualTo(StartStatus.NO);
        assertThat(bench.log(run)).doesNotContain("never");
    }

    @Test
    void theFirstReasonStays() throws IOException {
        bench.workflow("w", "echo never");
        RunRef run = bench.prepare(execution("w", 1, Map.of())).run();
        fill(run);
        assertThat(stop(run, Stop.timedOut("it took too long"))).isTrue();
        assertThat(stop(run, Stop.cancelled("alice"))).isFalse();
        fill(run);
        assertThat(stop(run, Stop.cancelled("alice"))).isFalse();
        assertThat(new RunFolder(bench.folder(run)).stop()).contains(new Stop(RunEnd.TIMED_OUT, NO_ROOM));
    }

    private boolean stop(RunRef run, Stop stop) throws IOException {
        return new RunFolder(bench.folder(run)).requestStop(stop, Hex.nonce(bench.random));
    }
}
