package dev.escapement.process.runner;

import static dev.escapement.process.runner.ProcessRunnerFixture.execution;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.execution.RunRef;
import dev.escapement.engine.port.WorkflowRunner.Observation;
import dev.escapement.governor.failure.Failure;
import dev.escapement.governor.failure.FailureReason;
import dev.escapement.process.run.RunClaim;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A restarted server stops runs whose execution another server has taken over, and keeps its own. */
class RunTakeoverRecoveryTest {

    private static final int OWN_EXECUTION = 1;
    private static final int FOREIGN_EXECUTION = 2;

    private final ProcessRunnerFixture fixture;

    RunTakeoverRecoveryTest(@TempDir Path root) throws IOException {
        fixture = new ProcessRunnerFixture(root);
        fixture.isOwned = execution ->
                execution.equals(execution("any", OWN_EXECUTION, Map.of()).ref());
    }

    @AfterEach
    void close() throws IOException {
        fixture.close();
    }

    private Path pidFile(int number) {
        return fixture.root.resolve("pid-" + number);
    }

    /** Starts a run and waits until its task has started. */
    private RunRef startRun(int number) throws IOException {
        Path ready = fixture.createFifo("ready-" + number);
        fixture.writeWorkflow("w-" + number, "echo $$ >%s; echo >%s; exec sleep 600".formatted(pidFile(number), ready));
        RunRef run = fixture.start(execution("w-" + number, number, Map.of()));
        Files.readString(ready);
        return run;
    }

    @Test
    void stopsRunsTakenOverByOtherServersAndKeepsOwn() throws IOException {
        RunRef own = startRun(OWN_EXECUTION);
        RunRef foreign = startRun(FOREIGN_EXECUTION);
        fixture.restart();
        Failure failure = fixture.awaitFailure(foreign);
        assertThat(failure.reason()).isEqualTo(FailureReason.Cancelled);
        assertThat(failure.message()).isEqualTo("cancelled by the server that took over its execution");
        assertThat(ProcessRunnerFixture.isAlive(pidFile(FOREIGN_EXECUTION))).isFalse();
        assertThat(fixture.runner().observe(own)).isInstanceOf(Observation.Running.class);
        assertThat(ProcessRunnerFixture.isAlive(pidFile(OWN_EXECUTION))).isTrue();
    }

    @Test
    void removesUnstartedRunTakenOverByOtherServer() {
        fixture.writeWorkflow("w", "true");
        RunRef own = fixture.prepare(execution("w", OWN_EXECUTION, Map.of())).run();
        RunRef foreign =
                fixture.prepare(execution("w", FOREIGN_EXECUTION, Map.of())).run();
        assertThat(fixture.restart()).isZero();
        assertThat(fixture.runner().observe(foreign)).isInstanceOf(Observation.Missing.class);
        assertThat(fixture.runFolder(foreign)).doesNotExist();
        assertThat(fixture.runner().observe(own)).isInstanceOf(Observation.Suspended.class);
    }

    @Test
    void terminatesLeftoverProcessesOfTakenOverRun() throws Exception {
        Path gate = fixture.createFifo("gate");
        // The process does not hold the output open, so that the supervisor does not wait for it.
        fixture.writeWorkflow(
                "leaves",
                "setsid sleep 600 </dev/null >/dev/null 2>&1 & echo $! >%s; read line <%s"
                        .formatted(pidFile(FOREIGN_EXECUTION), gate));
        RunRef run = fixture.start(execution("leaves", FOREIGN_EXECUTION, Map.of()));
        RunClaim owner = fixture.openFolder(run).owner().orElseThrow();
        ProcessHandle supervisor =
                ProcessHandle.of(((RunClaim.Supervisor) owner).pid()).orElseThrow();
        fixture.runner().close();
        Files.writeString(gate, "go\n");
        supervisor.onExit().get();
        fixture.restart();
        assertThat(fixture.awaitEnd(run)).isInstanceOf(Observation.Succeeded.class);
        assertThat(ProcessRunnerFixture.isAlive(pidFile(FOREIGN_EXECUTION))).isFalse();
    }
}
