package dev.escapement.process.runner;

import static dev.escapement.process.runner.ProcessRunnerFixture.execution;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionSpec;
import dev.escapement.engine.execution.ExecutionSpec.ExecutionConfig;
import dev.escapement.engine.execution.RunRef;
import dev.escapement.engine.port.WorkflowRunner.Observation;
import dev.escapement.governor.failure.Failure;
import dev.escapement.governor.failure.FailureReason;
import dev.escapement.governor.failure.StartStatus;
import dev.escapement.process.run.RunClaim;
import dev.escapement.process.run.RunFolder.StopReason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Cancellation and timeouts terminate all processes of a run. */
class RunCancellationAndTimeoutTest {

    private final ProcessRunnerFixture fixture;
    private final Path readyGate;
    private final Path pidFile;

    RunCancellationAndTimeoutTest(@TempDir Path root) throws IOException {
        fixture = new ProcessRunnerFixture(root);
        fixture.setStopGracePeriod(Duration.ofMillis(500));
        readyGate = fixture.createFifo("ready");
        pidFile = root.resolve("pid");
    }

    @AfterEach
    void close() throws IOException {
        fixture.close();
    }

    /** Starts a workflow and waits until its task executes READY. */
    private RunRef startAndAwaitReady(String script, String... later) throws IOException {
        String[] scripts = new String[later.length + 1];
        scripts[0] = script.replace("READY", "echo ready >" + readyGate);
        System.arraycopy(later, 0, scripts, 1, later.length);
        fixture.writeWorkflow("w", scripts);
        RunRef run = fixture.start(execution("w", 1, Map.of()));
        assertThat(Files.readString(readyGate)).isEqualTo("ready\n");
        return run;
    }

    private Failure cancelAndAwaitFailure(RunRef run) {
        fixture.runner().stop(run, "alice");
        Failure failure = fixture.awaitFailure(run);
        assertThat(failure.reason()).isEqualTo(FailureReason.Cancelled);
        assertThat(failure.message()).isEqualTo("cancelled by alice");
        return failure;
    }

    @Test
    void cancelTerminatesProcessTreeAndStartsNoFurtherTask() throws IOException {
        RunRef run = startAndAwaitReady("(sleep 600; echo) & echo $! >" + pidFile + "; READY; sleep 600", "echo next");
        Failure failure = cancelAndAwaitFailure(run);
        assertThat(failure.startStatus()).isEqualTo(StartStatus.YES);
        assertThat(failure.failedTaskName()).contains("task-1");
        assertThat(ProcessRunnerFixture.isAlive(pidFile)).isFalse();
        assertThat(fixture.readLog(run)).doesNotContain("next");
    }

    @Test
    void cancelledTaskCanCleanUpOnSigterm() throws IOException {
        fixture.setStopGracePeriod(Duration.ofMinutes(1));
        RunRef run = startAndAwaitReady("trap 'echo tidied up; exit 0' TERM; READY; while :; do sleep 0.05; done");
        cancelAndAwaitFailure(run);
        assertThat(fixture.readLog(run)).contains("tidied up");
    }

    @Test
    void killsTaskThatIgnoresSigterm() throws IOException {
        RunRef run = startAndAwaitReady("trap '' TERM; echo $$ >" + pidFile + "; READY; while :; do sleep 0.05; done");
        assertThat(cancelAndAwaitFailure(run).naturalLanguageSummary()).contains("SIGKILL");
        assertThat(ProcessRunnerFixture.isAlive(pidFile)).isFalse();
    }

    @Test
    void killsDetachedProcessThatIgnoresSignals() throws IOException {
        RunRef run = startAndAwaitReady(
                "setsid sh -c 'trap \"\" TERM HUP; echo $$ >%s; READY; while :; do sleep 0.05; done' & sleep 600"
                        .formatted(pidFile));
        cancelAndAwaitFailure(run);
        assertThat(ProcessRunnerFixture.isAlive(pidFile)).isFalse();
    }

    @Test
    void cancelsRunWhoseSupervisorIsStopped() throws Exception {
        RunRef run = startAndAwaitReady("READY; sleep 600");
        RunClaim owner = fixture.openFolder(run).owner().orElseThrow();
        long supervisor = ((RunClaim.Supervisor) owner).pid();
        assertThat(new ProcessBuilder("kill", "-STOP", Long.toString(supervisor))
                        .start()
                        .waitFor())
                .isZero();
        assertThat(cancelAndAwaitFailure(run).wasExecutionFailure()).isTrue();
    }

    @Test
    void cancellationSurvivesRestart() throws IOException {
        RunRef run = startAndAwaitReady("trap '' TERM; READY; while :; do sleep 0.05; done");
        fixture.runner().stop(run, "alice");
        fixture.restart();
        assertThat(fixture.awaitFailure(run).reason()).isEqualTo(FailureReason.Cancelled);
    }

    @Test
    void cancellationBeforeFirstTaskCountsAsNotStarted() throws IOException {
        fixture.writeWorkflow("w", "echo never");
        RunRef run = fixture.prepare(execution("w", 1, Map.of())).run();
        fixture.openFolder(run).requestStop(StopReason.cancelled("alice"));
        fixture.runner().start(run, RunPreparer.SUSPENDED_VERSION, 7);
        Failure failure = fixture.awaitFailure(run);
        assertThat(failure.reason()).isEqualTo(FailureReason.Cancelled);
        assertThat(failure.startStatus()).isEqualTo(StartStatus.NO);
        assertThat(fixture.readLog(run)).doesNotContain("never");
    }

    @Test
    void enforcesTaskTimeout() throws IOException {
        fixture.writeWorkflowYaml("slow", """
                tasks:
                  - {name: quick, command: ["true"], timeout: 1h}
                  - {name: slow, command: [sleep, 600], timeout: 300ms}
                """);
        Failure failure = fixture.awaitFailure("slow", Map.of());
        assertThat(failure.reason()).isEqualTo(FailureReason.DeadlineExceeded);
        assertThat(failure.message()).isEqualTo("task 2 of 2: slow took longer than 300ms");
        assertThat(failure.failedTaskName()).contains("slow");
        assertThat(failure.wasExecutionFailure()).isTrue();
    }

    @Test
    void enforcesWorkflowTimeout() {
        fixture.writeWorkflowYaml("slow", "timeout: 300ms\ntasks: [{name: slow, command: [sleep, 600]}]\n");
        assertThat(fixture.awaitFailure("slow", Map.of()).message()).isEqualTo("the run took longer than 300ms");
    }

    @Test
    void executionTimeoutOverridesWorkflowTimeout() {
        fixture.writeWorkflowYaml("slow", "timeout: 100ms\ntasks: [{name: slow, command: [sleep, 0.4]}]\n");
        RunRef longer = fixture.start(withTimeout("slow", 1, Duration.ofHours(1)));
        assertThat(fixture.awaitEnd(longer)).isInstanceOf(Observation.Succeeded.class);
        fixture.writeWorkflowYaml("slower", "tasks: [{name: slow, command: [sleep, 600]}]\n");
        RunRef shorter = fixture.start(withTimeout("slower", 2, Duration.ofMillis(200)));
        assertThat(fixture.awaitFailure(shorter).reason()).isEqualTo(FailureReason.DeadlineExceeded);
    }

    @Test
    void enforcesDeadlineAfterRestart() {
        fixture.writeWorkflowYaml("slow", "timeout: 1s\ntasks: [{name: slow, command: [sleep, 600]}]\n");
        RunRef run = fixture.start(execution("slow", 1, Map.of()));
        fixture.restart();
        assertThat(fixture.awaitFailure(run).reason()).isEqualTo(FailureReason.DeadlineExceeded);
    }

    private static Execution withTimeout(String workflow, int number, Duration timeout) {
        Execution execution = execution(workflow, number, Map.of());
        ExecutionSpec spec = execution.spec();
        return Execution.pending(
                execution.ref(),
                ProcessRunnerFixture.NOW,
                new ExecutionSpec(
                        spec.workflow(),
                        spec.targetResource(),
                        spec.parameters(),
                        Optional.empty(),
                        Optional.empty(),
                        "",
                        new ExecutionConfig(Optional.of(timeout), "", "")));
    }
}
