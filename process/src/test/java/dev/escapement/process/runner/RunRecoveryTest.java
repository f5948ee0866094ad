package dev.escapement.process.runner;

import static dev.escapement.process.runner.ProcessRunnerFixture.execution;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.execution.RunProgress;
import dev.escapement.engine.execution.RunRef;
import dev.escapement.engine.port.WorkflowRunner.Observation;
import dev.escapement.governor.failure.Failure;
import dev.escapement.governor.failure.FailureReason;
import dev.escapement.process.os.BootId;
import dev.escapement.process.run.RunClaim;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A restarted server finds the current state of its runs. */
class RunRecoveryTest {

    private final ProcessRunnerFixture fixture;
    private final Path readyGate;
    private final Path firstGate;
    private final Path secondGate;
    private final Path pidFile;

    RunRecoveryTest(@TempDir Path root) throws IOException {
        fixture = new ProcessRunnerFixture(root);
        readyGate = fixture.createFifo("ready");
        firstGate = fixture.createFifo("first");
        secondGate = fixture.createFifo("second");
        pidFile = root.resolve("pid");
        fixture.writeWorkflow(
                "waits",
                "echo $$ >%s; echo >%s; read line <%s".formatted(pidFile, readyGate, firstGate),
                "read line <" + secondGate);
    }

    @AfterEach
    void close() throws IOException {
        fixture.close();
    }

    /** Starts a run and waits until its first task has started. */
    private RunRef startWaitingRun() throws IOException {
        RunRef run = fixture.start(execution("waits", 1, Map.of()));
        Files.readString(readyGate);
        return run;
    }

    private ProcessHandle findSupervisor(RunRef run) throws IOException {
        Optional<RunClaim> owner = fixture.openFolder(run).owner();
        return ProcessHandle.of(((RunClaim.Supervisor) owner.orElseThrow()).pid())
                .orElseThrow();
    }

    /** Blocks until the task has opened the other end. */
    private static void openGate(Path gate) throws IOException {
        Files.writeString(gate, "go\n");
    }

    @Test
    void resumesMonitoringOfActiveRun() throws IOException {
        RunRef run = startWaitingRun();
        assertThat(fixture.restart()).isEqualTo(1);
        assertThat(fixture.runner().observe(run)).isInstanceOf(Observation.Running.class);
        openGate(firstGate);
        fixture.awaitChange();
        assertThat(fixture.runner().observe(run))
                .isEqualTo(new Observation.Running(new RunProgress(1, 2, "task 2 of 2: task-2")));
        openGate(secondGate);
        assertThat(fixture.awaitEnd(run)).isInstanceOf(Observation.Succeeded.class);
        assertThat(fixture.runner().activeRunCount()).isZero();
    }

    @Test
    void findsResultOfRunThatEndedWithoutServer() throws Exception {
        RunRef run = startWaitingRun();
        ProcessHandle supervisor = findSupervisor(run);
        fixture.runner().close();
        openGate(firstGate);
        openGate(secondGate);
        supervisor.onExit().get();
        assertThat(fixture.restart()).isZero();
        assertThat(fixture.runner().observe(run)).isInstanceOf(Observation.Succeeded.class);
    }

    @Test
    void reportsRunKilledWithoutServerAsLost() throws Exception {
        RunRef run = startWaitingRun();
        ProcessHandle supervisor = findSupervisor(run);
        fixture.runner().close();
        supervisor.destroyForcibly();
        supervisor.onExit().get();
        fixture.restart();
        assertLost(run);
    }

    @Test
    void terminatesTasksBeforeReportingRunWithKilledSupervisorAsLost() throws IOException {
        RunRef run = startWaitingRun();
        findSupervisor(run).destroyForcibly();
        assertLost(run);
        assertThat(ProcessRunnerFixture.isAlive(pidFile)).isFalse();
    }

    private void assertLost(RunRef run) {
        Failure failure = fixture.awaitFailure(run);
        assertThat(failure.reason()).isEqualTo(FailureReason.Unknown);
        assertThat(failure.wasExecutionFailure()).isTrue();
        assertThat(failure.message()).contains("supervisor process ended without a result");
        assertThat(fixture.awaitEnd(run)).isEqualTo(fixture.awaitEnd(run));
    }

    @Test
    void doesNotTakeProcessWithReusedPidForSupervisor() throws IOException {
        RunRef run = fixture.prepare(execution("waits", 1, Map.of())).run();
        // The pid of this test, which must survive.
        String link = ProcessHandle.current().pid() + " 1 " + BootId.current().id();
        Files.createSymbolicLink(fixture.runFolder(run).resolve("begun"), Path.of(link));
        fixture.restart();
        assertLost(run);
    }

    @Test
    void terminatesLeftoverProcessesAfterRestart() throws Exception {
        // The process does not hold the output open, so that the supervisor does not wait for it.
        fixture.writeWorkflow(
                "leaves",
                "setsid sleep 600 </dev/null >/dev/null 2>&1 & echo $! >%s; read line <%s"
                        .formatted(pidFile, secondGate));
        RunRef run = fixture.start(execution("leaves", 2, Map.of()));
        ProcessHandle supervisor = findSupervisor(run);
        fixture.runner().close();
        openGate(secondGate);
        supervisor.onExit().get();
        fixture.restart();
        assertThat(fixture.awaitEnd(run)).isInstanceOf(Observation.Succeeded.class);
        assertThat(ProcessRunnerFixture.isAlive(pidFile)).isFalse();
    }

    @Test
    void keepsUnstartedRunSuspendedAcrossRestart() {
        RunRef run = fixture.prepare(execution("waits", 1, Map.of())).run();
        assertThat(fixture.restart()).isZero();
        assertThat(fixture.runner().observe(run)).isInstanceOf(Observation.Suspended.class);
    }
}
