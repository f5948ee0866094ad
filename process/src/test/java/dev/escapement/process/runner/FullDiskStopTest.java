package dev.escapement.process.runner;

import static dev.escapement.process.runner.ProcessRunnerFixture.execution;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.execution.RunRef;
import dev.escapement.governor.failure.Failure;
import dev.escapement.governor.failure.FailureReason;
import dev.escapement.governor.failure.RunEnd;
import dev.escapement.governor.failure.StartStatus;
import dev.escapement.process.run.RunClaim;
import dev.escapement.process.run.RunFolder.StopReason;
import dev.escapement.process.run.RunFolderStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run that has filled the disk can still be stopped. */
class FullDiskStopTest {

    private static final String DISK_FULL_MESSAGE = "stopped; no disk space to record the reason";

    private final ProcessRunnerFixture fixture;
    private final Path readyGate;

    FullDiskStopTest(@TempDir Path root) throws IOException {
        fixture = new ProcessRunnerFixture(root);
        readyGate = fixture.createFifo("ready");
    }

    @AfterEach
    void close() throws IOException {
        fixture.close();
    }

    /** Makes writing the stop reason fail: a folder has the name of its file. */
    private void blockStopFile(RunRef run) throws IOException {
        fixture.random = () -> 0;
        Files.createDirectory(fixture.runFolder(run).resolve("stop-" + RunFolderStore.randomSuffix(fixture.random)));
    }

    private Failure awaitCancelled(RunRef run) {
        Failure failure = fixture.awaitFailure(run);
        assertThat(fixture.runFolder(run).resolve("stop")).isSymbolicLink();
        assertThat(failure.reason()).isEqualTo(FailureReason.Cancelled);
        assertThat(failure.message()).isEqualTo(DISK_FULL_MESSAGE);
        return failure;
    }

    @Test
    void stopsActiveRunOnFullDisk() throws IOException {
        Path pid = fixture.root.resolve("pid");
        fixture.writeWorkflow("w", "echo $$ >%s; echo >%s; exec sleep 600".formatted(pid, readyGate), "echo next");
        RunRef run = fixture.start(execution("w", 1, Map.of()));
        Files.readString(readyGate);
        blockStopFile(run);
        fixture.runner().stop(run, "alice");
        assertThat(awaitCancelled(run).startStatus()).isEqualTo(StartStatus.YES);
        assertThat(ProcessRunnerFixture.isAlive(pid)).isFalse();
        assertThat(fixture.readLog(run)).doesNotContain("next");
    }

    @Test
    void supervisorStartsNoFurtherTaskAfterStop() throws Exception {
        Path gate = fixture.createFifo("gate");
        // Without a server: the supervisor alone must detect that the second task may not start.
        fixture.writeWorkflow("w", "echo >%s; read line <%s".formatted(readyGate, gate), "echo next");
        RunRef run = fixture.start(execution("w", 1, Map.of()));
        Files.readString(readyGate);
        RunClaim owner = fixture.openFolder(run).owner().orElseThrow();
        ProcessHandle supervisor =
                ProcessHandle.of(((RunClaim.Supervisor) owner).pid()).orElseThrow();
        fixture.runner().close();
        blockStopFile(run);
        assertThat(requestStop(run, StopReason.cancelled("alice"))).isTrue();
        Files.writeString(gate, "go\n");
        supervisor.onExit().get();
        fixture.restart();
        awaitCancelled(run);
        assertThat(fixture.readLog(run)).doesNotContain("next");
    }

    @Test
    void startsNoTaskOfRunStoppedBeforeStart() throws IOException {
        fixture.writeWorkflow("w", "echo never");
        RunRef run = fixture.prepare(execution("w", 1, Map.of())).run();
        blockStopFile(run);
        assertThat(requestStop(run, StopReason.cancelled("alice"))).isTrue();
        fixture.runner().start(run, RunPreparer.SUSPENDED_VERSION, 7);
        assertThat(awaitCancelled(run).startStatus()).isEqualTo(StartStatus.NO);
        assertThat(fixture.readLog(run)).doesNotContain("never");
    }

    @Test
    void keepsFirstStopReason() throws IOException {
        fixture.writeWorkflow("w", "echo never");
        RunRef run = fixture.prepare(execution("w", 1, Map.of())).run();
        blockStopFile(run);
        assertThat(requestStop(run, StopReason.timedOut("it took too long"))).isTrue();
        assertThat(requestStop(run, StopReason.cancelled("alice"))).isFalse();
        blockStopFile(run);
        assertThat(requestStop(run, StopReason.cancelled("alice"))).isFalse();
        assertThat(fixture.openFolder(run).stopReason()).contains(new StopReason(RunEnd.TIMED_OUT, DISK_FULL_MESSAGE));
    }

    private boolean requestStop(RunRef run, StopReason stop) throws IOException {
        return fixture.openFolder(run).requestStop(stop);
    }
}
