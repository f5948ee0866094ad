package dev.escapement.process;

import static dev.escapement.process.Bench.execution;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.execution.RunProgress;
import dev.escapement.engine.execution.RunRef;
import dev.escapement.engine.port.WorkflowRunner.Observation;
import dev.escapement.governor.failure.Failure;
import dev.escapement.governor.failure.FailureReason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that comes back finds its runs as they are now. */
class RecoveryTest {

    private final Bench bench;
    private final Path ready;
    private final Path first;
    private final Path second;
    private final Path pid;

    RecoveryTest(@TempDir Path root) throws IOException {
        bench = new Bench(root);
        ready = bench.fifo("ready");
        first = bench.fifo("first");
        second = bench.fifo("second");
        pid = root.resolve("pid");
        bench.workflow(
                "waits", "echo $$ >%s; echo >%s; read line <%s".formatted(pid, ready, first), "read line <" + second);
    }

    @AfterEach
    void close() throws IOException {
        bench.close();
    }

    /** A run whose first task is known to have started. */
    private RunRef waiting() throws IOException {
        RunRef run = bench.start(execution("waits", 1, Map.of()));
        Files.readString(ready);
        return run;
    }

    private ProcessHandle supervisor(RunRef run) throws IOException {
        Optional<Claim> claim = new RunFolder(bench.folder(run)).claim();
        return ProcessHandle.of(((Claim.Supervisor) claim.orElseThrow()).pid()).orElseThrow();
    }

    /** Opening this end waits until the task is at the other. */
    private static void pass(Path gate) throws IOException {
        Files.writeString(gate, "go\n");
    }

    @Test
    void aRunThatIsStillGoingIsFoundAgain() throws IOException {
        RunRef run = waiting();
        assertThat(bench.open()).isEqualTo(1);
        assertThat(bench.runner().observe(run)).isInstanceOf(Observation.Running.class);
        pass(first);
        bench.awaitChange();
        assertThat(bench.runner().observe(run))
                .isEqualTo(new Observation.Running(new RunProgress(1, 2, "task 2 of 2: task-2")));
        pass(second);
        assertThat(bench.awaitEnd(run)).isInstanceOf(Observation.Succeeded.class);
        assertThat(bench.runner().going()).isZero();
    }

    @Test
    void aRunThatEndedInBetweenIsFoundEnded() throws Exception {
        RunRef run = waiting();
        ProcessHandle supervisor = supervisor(run);
        bench.runner().close();
        pass(first);
        pass(second);
        supervisor.onExit().get();
        assertThat(bench.open()).isZero();
        assertThat(bench.runner().observe(run)).isInstanceOf(Observation.Succeeded.class);
    }

    @Test
    void aRunThatWasKilledInBetweenIsLostAndCountsAsHavingRun() throws Exception {
        RunRef run = waiting();
        ProcessHandle supervisor = supervisor(run);
        bench.runner().close();
        supervisor.destroyForcibly();
        supervisor.onExit().get();
        bench.open();
        lost(run);
    }

    @Test
    void aRunWhoseSupervisorIsKilledIsLostAndItsTasksAreEndedFirst() throws IOException {
        RunRef run = waiting();
        supervisor(run).destroyForcibly();
        lost(run);
        assertThat(Bench.isAlive(pid)).isFalse();
    }

    private void lost(RunRef run) {
        Failure failure = bench.failure(run);
        assertThat(failure.reason()).isEqualTo(FailureReason.Unknown);
        assertThat(failure.wasExecutionFailure()).isTrue();
        assertThat(failure.message()).contains("gone without a word");
        assertThat(bench.awaitEnd(run)).isEqualTo(bench.awaitEnd(run));
    }

    @Test
    void aProcessThatHasTheNumberOfADeadSupervisorIsNotTakenForIt() throws IOException {
        RunRef run = bench.prepare(execution("waits", 1, Map.of())).run();
        // This very test has that number, and must survive.
        String number = ProcessHandle.current().pid() + " 1 " + Boot.current().id();
        Files.createSymbolicLink(bench.folder(run).resolve("begun"), Path.of(number));
        bench.open();
        lost(run);
    }

    @Test
    void whatARunLeftBehindWhileNoServerWasThereIsEnded() throws Exception {
        // It holds nothing open, so that the supervisor does not wait for it.
        bench.workflow(
                "leaves",
                "setsid sleep 600 </dev/null >/dev/null 2>&1 & echo $! >%s; read line <%s".formatted(pid, second));
        RunRef run = bench.start(execution("leaves", 2, Map.of()));
        ProcessHandle supervisor = supervisor(run);
        bench.runner().close();
        pass(second);
        supervisor.onExit().get();
        bench.open();
        assertThat(bench.awaitEnd(run)).isInstanceOf(Observation.Succeeded.class);
        assertThat(Bench.isAlive(pid)).isFalse();
    }

    @Test
    void aRunThatWasNeverStartedWaitsForTheNextServer() {
        RunRef run = bench.prepare(execution("waits", 1, Map.of())).run();
        assertThat(bench.open()).isZero();
        assertThat(bench.runner().observe(run)).isInstanceOf(Observation.Suspended.class);
    }
}
